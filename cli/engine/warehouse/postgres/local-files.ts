/** Rows between local files, which the embedded DuckDB reads and writes, and the server: both ways as CSV, by COPY. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  type LocalReader,
  type LocalReaderOptions,
  openLocalReader,
  quoteLiteral,
  quoteName,
} from '@svc/server/catalog'
import { type Column, internalName } from '@svc/server/language'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { SvcError } from '../../errors.ts'
import type { DatabaseColumn } from '../../ingest/sql/database.ts'
import { columnsOf, type FieldType } from '../../ingest/sql/postgres-types.ts'
import { RowSpool, type SpooledRows } from '../../ingest/sql/row-spool.ts'
import { csvFrom, withMarkedTypes } from '../../ingest/sql/spooled-rows.ts'
import { statementFailure } from '../duckdb/failures.ts'
import type { Misfits } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { columnOfLoad, type LoadedColumn } from './load-types.ts'

export type LocalFiles = Awaited<ReturnType<typeof openLocalFiles>>

export interface CopyIn {
  readonly sql: string
  /** The target, which this transaction has made: its rows need no later visit of the server. */
  readonly into: string
  readonly columns: readonly LoadedColumn[]
}

const layout = `FORMAT csv, HEADER false, DELIM ',', QUOTE '"', ESCAPE '"', NULLSTR ''`

/** @param root the root of the project: the files between lie in its `.svc`, because they may hold personal data */
export async function openLocalFiles(root: string, signal?: AbortSignal) {
  const folder = join(root, '.svc', `.load-${randomUUID().slice(0, 8)}.${process.pid}.tmp`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const local = await openReader({ temporaryFolder: folder, ...(signal && { signal }) }).catch(
    async error => {
      await rm(folder, { recursive: true, force: true })
      throw error
    },
  )
  let files = 0
  const nextPath = () => join(folder, `rows-${++files}.csv`)
  return {
    /** Returns the columns that the rows of a query over local files have at the server, with the types of those wanted. */
    async columns(sql: string, wanted: readonly Column[] = []) {
      const types = new Map(wanted.map(({ name, type }) => [name, type]))
      return (await local.columns(sql)).map(column => columnOfLoad(column, types.get(column.name)))
    },
    /** Copies the rows of a query over local files into columns of a table; returns their number. */
    async copyIn(connection: Connection, { sql, into, columns }: CopyIn) {
      const path = nextPath()
      const values = columns.map(({ name, text }) => `${text(quoteName(name))} AS ${quoteName(name)}`)
      await local.rows(
        `COPY (SELECT ${values.join(', ')} FROM (${sql}\n)) TO ${quoteLiteral(path)} (${layoutOf(columns)})`,
      )
      const target = connection.query(copyFrom(`COPY ${into} FROM STDIN (FORMAT csv, FREEZE)`))
      await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), target)
      await rm(path)
      return target.rowCount
    },
    /** Writes the rows of a query of the server to a Parquet file. */
    writeParquet: (
      connection: Connection,
      sql: string,
      path: string,
      onMisfits: (misfits: Misfits) => void = refuseMisfits,
    ) => writeParquet(local, connection, { sql, path, folder, onMisfits }),
    /** Deletes the files that lie between. */
    async close() {
      local.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A reader whose errors say what is wrong with the rows of the files. */
async function openReader(options: LocalReaderOptions): Promise<LocalReader> {
  const local = await openLocalReader(options)
  const explained = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw options.signal?.aborted ? error : statementFailure(error, 'the files of the load', 'build-failed')
    }
  }
  return {
    rows: sql => explained(local.rows(sql)),
    columns: sql => explained(local.columns(sql)),
    close: () => local.close(),
  }
}

/** A line that is `\.` alone would end the rows, so that a table of one column has quotes around each value. */
function layoutOf([first, ...others]: readonly LoadedColumn[]): string {
  return first === undefined || others.length > 0
    ? layout
    : `${layout}, FORCE_QUOTE (${quoteName(first.name)})`
}

interface Written {
  readonly sql: string
  readonly path: string
  readonly folder: string
  readonly onMisfits: (misfits: Misfits) => void
}

async function writeParquet(
  local: LocalReader,
  connection: Connection,
  { sql, path, folder, onMisfits }: Written,
): Promise<void> {
  const { fields } = await connection.query(`SELECT * FROM (${sql}\n) AS ${internalName('exported')} LIMIT 0`)
  const columns = await columnsOf(
    fields,
    types => connection.query<FieldType>(types.text, types.values),
    dialect.identifier,
  )
  const list = columns.map(({ select }) => select).join(', ')
  const spool = new RowSpool(folder, { totalBytes: Number.POSITIVE_INFINITY })
  const part = spool.part(0)
  const stream = connection.query(
    copyTo(`COPY (SELECT ${list} FROM (${sql}\n) AS ${internalName('exported')}) TO STDOUT (FORMAT csv)`),
  )
  for await (const chunk of stream) part.write(chunk as Buffer)
  const spooled = spool.finish()
  const typed = withMarkedTypes(spooled, columns)
  const misfits = await findMisfits(local, spooled, typed)
  misfits.forEach(onMisfits)
  const asTexts = new Set(misfits.map(({ column }) => column))
  const readTypes = typed.map(
    column => [column.name, asTexts.has(column.name) ? 'VARCHAR' : readType(column)] as const,
  )
  const rows = csvFrom(spooled, typed, new Map(readTypes))
  const fitting = typed
    .filter(({ name }) => !asTexts.has(name))
    .map(({ name, decode }) => `${decode?.(quoteName(name)) ?? quoteName(name)} AS ${quoteName(name)}`)
  const values = [...fitting, ...misfits.flatMap(apart)]
  await local.rows(
    `COPY (SELECT ${values.join(', ')} FROM ${rows}) TO ${quoteLiteral(path)} (FORMAT parquet)`,
  )
  await rm(part.path)
}

/** Finds the columns with values that the server has and no file holds, such as NaN among decimals. */
async function findMisfits(
  local: LocalReader,
  spooled: SpooledRows,
  columns: readonly DatabaseColumn[],
): Promise<readonly Misfits[]> {
  const tried = columns.flatMap(({ name, type }) =>
    type.kind === 'scalar' && type.loose === true ? [{ column: name, type: type.type }] : [],
  )
  if (tried.length === 0) return []
  const counts = tried.map(
    (each, index) => `count(*) FILTER (${isMisfit(each)}) AS ${internalName(`n${index}`)}`,
  )
  const [row = {}] = await local.rows(
    `SELECT ${counts.join(', ')} FROM ${csvFrom(spooled, columns, new Map())}`,
  )
  return tried
    .map((each, index) => ({
      ...each,
      count: Number(row[internalName(`n${index}`)]),
      texts: internalName(`misfits${index}`),
    }))
    .filter(({ count }) => count > 0)
}

type Tried = Pick<Misfits, 'column' | 'type'>

function isMisfit({ column, type }: Tried): string {
  const value = quoteName(column)
  return `${value} IS NOT NULL AND TRY_CAST(${value} AS ${type}) IS NULL`
}

/** Returns the column with what fits, and the one with the texts of what does not. */
function apart(misfits: Misfits): readonly string[] {
  const value = quoteName(misfits.column)
  return [
    `TRY_CAST(${value} AS ${misfits.type}) AS ${value}`,
    `CASE WHEN ${isMisfit(misfits)} THEN ${value} END AS ${misfits.texts}`,
  ]
}

/** The values may be personal, so none is shown. */
function refuseMisfits({ column, type, count }: Misfits): never {
  throw new SvcError(
    'destination-shape',
    `values of the warehouse cannot be written to a file: column "${column}" has ${count} that ${type} cannot hold`,
    { hint: 'Cast the column to text.' },
  )
}

/** A number without bounds stays text, which keeps every digit. */
function readType({ type, decode }: DatabaseColumn): string {
  return decode === undefined && type.kind === 'scalar' ? type.type : 'VARCHAR'
}
