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
    writeParquet: (connection: Connection, sql: string, path: string) =>
      writeParquet(local, connection, { sql, path, folder }),
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
}

async function writeParquet(
  local: LocalReader,
  connection: Connection,
  { sql, path, folder }: Written,
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
  await refuseMisfits(local, spooled, typed)
  const rows = csvFrom(spooled, typed, new Map(typed.map(column => [column.name, readType(column)])))
  const values = typed.map(
    ({ name, decode }) => `${decode?.(quoteName(name)) ?? quoteName(name)} AS ${quoteName(name)}`,
  )
  await local.rows(
    `COPY (SELECT ${values.join(', ')} FROM ${rows}) TO ${quoteLiteral(path)} (FORMAT parquet)`,
  )
  await rm(part.path)
}

/** Throws for values that the server has and no file holds, such as NaN among decimals. They may be personal, so none is shown. */
async function refuseMisfits(
  local: LocalReader,
  spooled: SpooledRows,
  columns: readonly DatabaseColumn[],
): Promise<void> {
  const tried = columns.flatMap(({ name, type }) =>
    type.kind === 'scalar' && type.loose === true ? [{ name, type: type.type }] : [],
  )
  if (tried.length === 0) return
  const counts = tried.map(({ name, type }, index) => {
    const value = quoteName(name)
    return `count(*) FILTER (${value} IS NOT NULL AND TRY_CAST(${value} AS ${type}) IS NULL) AS ${internalName(`n${index}`)}`
  })
  const [row = {}] = await local.rows(
    `SELECT ${counts.join(', ')} FROM ${csvFrom(spooled, columns, new Map())}`,
  )
  const found = tried.flatMap(({ name, type }, index) => {
    const count = Number(row[internalName(`n${index}`)])
    return count === 0 ? [] : [`column "${name}" has ${count} that ${type} cannot hold`]
  })
  if (found.length === 0) return
  throw new SvcError(
    'destination-shape',
    `values of the warehouse cannot be written to a file: ${found.join('; ')}`,
    {
      hint: 'Cast the column to text in the SQL of the asset, or leave it out with fields of publish.',
    },
  )
}

/** A number without bounds stays text, which keeps every digit. */
function readType({ type, decode }: DatabaseColumn): string {
  return decode === undefined && type.kind === 'scalar' ? type.type : 'VARCHAR'
}
