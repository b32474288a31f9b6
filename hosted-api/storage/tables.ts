/**
 * Reads the tables of a database from its own catalogue, so that a backup contains all of them, including
 * those of future migrations. Derived columns and the tables of an index are left out: a restore derives them again.
 */
import { ownTables } from './migrate.ts'
import type { Cell, Queries, Row } from './storage.ts'

export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns of the primary key, in order. */
  readonly key: readonly string[]
  /** The last number of the sequence; undefined if the table has none. */
  readonly sequence: number | undefined
}

/** Returns tables in order of creation: a table comes after those that it refers to. */
export async function readTables(queries: Queries): Promise<readonly Table[]> {
  const names = await queries.all<{ name: string }>(queries.engine === 'sqlite' ? sqliteNames : postgresNames)
  const own = new Set(ownTables(queries.engine, queries.build))
  const tables: Table[] = []
  // Another application may have tables in the same schema.
  for (const { name } of names) if (own.has(name)) tables.push(await readTable(queries, name))
  return tables
}

/** Yields all rows, in pages by primary key. */
export async function* readRows(queries: Queries, table: Table): AsyncGenerator<readonly Row[]> {
  const [columns, key] = [list(table.columns), list(table.key)]
  let after: readonly Cell[] | undefined
  for (;;) {
    const where = after === undefined ? '' : `where (${key}) > (${table.key.map(() => '?').join(', ')})`
    const text = `select ${columns} from ${quoted(table.name)} ${where} order by ${key} limit ${pageSize}`
    const rows = await queries.all(text, after ?? [])
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    after = table.key.map(column => last[column] ?? null)
  }
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function list(names: readonly string[]): string {
  return names.map(quoted).join(', ')
}

const pageSize = 1000

/** Not the tables behind a search index, which SQLite calls virtual and shadow tables. */
export const sqliteNames = `select listed.name from pragma_table_list as listed
  join main.sqlite_master as made on made.name = listed.name and made.type = 'table'
  where listed.schema = 'main' and listed.type = 'table' and listed.name not like 'sqlite\\_%' escape '\\' order by made.rowid`
const postgresNames = `select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by oid`

async function readTable(queries: Queries, name: string): Promise<Table> {
  return queries.engine === 'sqlite' ? readSqliteTable(queries, name) : readPostgresTable(queries, name)
}

async function readSqliteTable(queries: Queries, name: string): Promise<Table> {
  const columns = await queries.all<{ name: string; pk: number }>(
    'select name, pk from pragma_table_info(?)',
    [name],
  )
  const keyed = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const counted = await queries.first(`select 1 as one from sqlite_master where name = 'sqlite_sequence'`)
  const sequence =
    counted === undefined
      ? undefined
      : await queries.first<{ seq: number }>('select seq from sqlite_sequence where name = ?', [name])
  return {
    name,
    columns: columns.map(column => column.name),
    key: keyed.map(column => column.name),
    sequence: sequence?.seq,
  }
}

async function readPostgresTable(queries: Queries, name: string): Promise<Table> {
  const columns = await queries.all<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = ? and is_generated = 'NEVER' order by ordinal_position`,
    [name],
  )
  const key = await queries.all<{ name: string }>(
    `select attname as name from pg_index
     join pg_attribute on attrelid = indrelid and attnum = any (indkey)
     where indisprimary and indrelid = ?::regclass order by array_position(indkey::smallint[], attnum)`,
    [quoted(name)],
  )
  return {
    name,
    columns: columns.map(column => column.name),
    key: key.map(column => column.name),
    sequence: columns.some(column => column.name === 'id')
      ? await postgresSequence(queries, name)
      : undefined,
  }
}

async function postgresSequence(queries: Queries, name: string): Promise<number | undefined> {
  const row = await queries.first<{ sequence: string | null }>(
    `select pg_get_serial_sequence(?, 'id') as sequence`,
    [quoted(name)],
  )
  if (row?.sequence === null || row === undefined) return undefined
  const last = await queries.first<{ last: number }>(
    `select case when is_called then last_value::integer else 0 end as last from ${row.sequence}`,
  )
  return last?.last === 0 ? undefined : last?.last
}
