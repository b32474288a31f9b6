/** What the tables of a fetched source are when they are loaded: read in DuckDB, or loaded into a PostgreSQL and read there. */
import { join } from 'node:path'
import { type LocalReader, openLocalReader, quoteLiteral } from '@svc/server/catalog'
import type { Column } from '@svc/server/language'
import { expect } from 'vitest'
import type { FetchedTable } from '../../../cli/engine/ingest/source.ts'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { BuildOutcome, WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'
import { freshWarehouse, kindUnderTest, removeWarehouse } from '../../support/warehouse-under-test.ts'

export type Row = Readonly<Record<string, unknown>>

export interface LoadedTable {
  readonly rows: readonly Row[]
  /** `name TYPE`, in the words of DuckDB. */
  readonly columns: readonly string[]
}

/** Loads tables one after another. `root`: the folder of the project. */
export async function loadTables(
  tables: readonly FetchedTable[],
  root: string,
): Promise<readonly LoadedTable[]> {
  const local = await openLocalReader({ threads: 4 })
  try {
    return kindUnderTest === 'duckdb'
      ? await readLocally(tables, local)
      : await readFromServer(tables, root, local)
  } finally {
    local.close()
  }
}

async function readLocally(tables: readonly FetchedTable[], local: LocalReader): Promise<LoadedTable[]> {
  const loaded: LoadedTable[] = []
  for (const [index, table] of tables.entries()) {
    await local.rows(`CREATE OR REPLACE TEMP TABLE t${index} AS ${table.sql}`)
    const columns = (await local.columns(`SELECT * FROM t${index}`)).map(
      ({ name, type }) => `${name} ${type}`,
    )
    expect(table.columns.map(({ name, type }) => `${name} ${type}`)).toEqual(columns)
    loaded.push({ rows: await local.rows(`SELECT * FROM t${index}`), columns })
  }
  return loaded
}

let files = 0

/** The rows come back as a file, so that they have the form that rows of DuckDB have. */
async function readFromServer(
  tables: readonly FetchedTable[],
  root: string,
  local: LocalReader,
): Promise<LoadedTable[]> {
  const url = await freshWarehouse()
  const warehouse = await openWarehouse(url, { root, project: 'test' })
  const session = await warehouse.open('write')
  try {
    await session.createSchema('loaded')
    const loaded: LoadedTable[] = []
    for (const [index, table] of tables.entries()) {
      const columns = await build(session, table, `t${index}`)
      expect(table.columns.map(({ name, type }) => `${name} ${type}`)).toEqual(
        columns.map(({ name, type }) => `${name} ${type}`),
      )
      const path = join(root, `loaded-${++files}.parquet`)
      await session.export({ sql: `SELECT * FROM loaded.t${index}` }, path)
      loaded.push({
        rows: withLists(await local.rows(`SELECT * FROM read_parquet(${quoteLiteral(path)})`), columns),
        columns: columns.map(({ name, type }) => `${name} ${inWordsOfDuckdb(type)}`),
      })
    }
    return loaded
  } finally {
    await session.close()
    await removeWarehouse(url)
  }
}

async function build(session: WarehouseSession, { sql, columns }: FetchedTable, name: string) {
  let outcome: BuildOutcome | undefined
  await session.build(
    { id: name, target: { schema: 'loaded', name }, kind: 'load', sql, columns },
    {
      record: () => [],
      onEnd(_task, ended) {
        outcome = ended
      },
    },
  )
  if (outcome?.ok !== true) throw outcome?.error ?? new Error(`nothing became of ${name}`)
  return outcome.result.columns
}

/** Lists are in the file as JSON. */
function withLists(rows: readonly Row[], columns: readonly Column[]): readonly Row[] {
  const lists = columns.filter(({ type }) => type?.endsWith('[]'))
  return rows.map(row => {
    const values = lists.map(({ name }) => [name, JSON.parse(String(row[name]))])
    return { ...row, ...Object.fromEntries(values) }
  })
}

/** What is loaded of a value with the character NUL: PostgreSQL holds none, and the value is rejected. */
export function ifNul<T>(value: T): T | null {
  return kindUnderTest === 'duckdb' ? value : null
}

/** Columns as the engine under test stores them, from `name TYPE` with types that only DuckDB has. */
export function stored(columns: readonly string[]): string[] {
  if (kindUnderTest === 'duckdb') return [...columns]
  return columns.map(column =>
    column.replace(/ HUGEINT$/, ' DECIMAL(39,0)').replace(/ (STRUCT|MAP)\(.*\)(\[\])?$/, ' JSON'),
  )
}

const duckdbNames: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  bigint: 'BIGINT',
  bytea: 'BLOB',
  date: 'DATE',
  'double precision': 'DOUBLE',
  integer: 'INTEGER',
  jsonb: 'JSON',
  smallint: 'SMALLINT',
  text: 'VARCHAR',
  'character varying': 'VARCHAR',
  'time without time zone': 'TIME',
  'timestamp with time zone': 'TIMESTAMP WITH TIME ZONE',
  'timestamp without time zone': 'TIMESTAMP',
  uuid: 'UUID',
}

/** The name that DuckDB has for a type of the engine under test. */
export function inWordsOfDuckdb(type = 'unknown'): string {
  if (type.endsWith('[]')) return `${inWordsOfDuckdb(type.slice(0, -2))}[]`
  const decimal = /^numeric(\(.*\))?$/.exec(type)
  return decimal === null ? (duckdbNames[type] ?? type) : `DECIMAL${decimal[1] ?? ''}`
}
