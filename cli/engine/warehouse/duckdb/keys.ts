/**
 * Keys of tables in DuckDB, which adds none to a table that is made: what they say is asked of the rows, when all statements
 * around the build have run. Nobody changes the table afterwards, so that it holds from then on.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { internalName } from '@svc/server/language'
import { countOf } from '../../counts.ts'
import { brokenKey, type TableKey } from '../table-keys.ts'
import { type IndexedTable, repeatedValues } from './indexes.ts'

const named = internalName('named')

/** Throws SvcError `build-failed` where rows break the key. */
export async function askKey(
  connection: DuckDBConnection,
  table: IndexedTable,
  key: TableKey,
): Promise<void> {
  if (key.list === 'foreign_keys') return askReference(connection, table, key)
  if (key.list === 'primary_key') await askPresence(connection, table, key)
  const repeated = await repeatedValues(connection, table, key.columns)
  if (repeated > 0)
    throw brokenKey(key, `${countOf(repeated, 'value')} ${repeated === 1 ? 'comes' : 'come'} more than once`)
}

async function askPresence(
  connection: DuckDBConnection,
  { target, dialect }: IndexedTable,
  key: TableKey,
): Promise<void> {
  const missing = key.columns.map(column => `${dialect.identifier(column)} IS NULL`).join(' OR ')
  const rows = await count(connection, `SELECT count(*) FROM ${dialect.relation(target)} WHERE ${missing}`)
  if (rows > 0) throw brokenKey(key, `${countOf(rows, 'row')} without a value`)
}

async function askReference(
  connection: DuckDBConnection,
  { target, dialect }: IndexedTable,
  key: TableKey,
): Promise<void> {
  const { references } = key
  if (references === undefined) return
  const own = dialect.relation(target)
  const present = key.columns.map(column => `${own}.${dialect.identifier(column)} IS NOT NULL`)
  const equal = key.columns.map(
    (column, index) =>
      `${named}.${dialect.identifier(references.columns[index] ?? '')} = ${own}.${dialect.identifier(column)}`,
  )
  const rows = await count(
    connection,
    `SELECT count(*) FROM ${own} WHERE ${present.join(' AND ')} AND NOT EXISTS (
       SELECT 1 FROM ${dialect.relation(references.relation)} AS ${named} WHERE ${equal.join(' AND ')})`,
  )
  if (rows > 0)
    throw brokenKey(
      key,
      `${countOf(rows, 'row')} ${rows === 1 ? 'names' : 'name'} no row of ${references.asset}`,
    )
}

async function count(connection: DuckDBConnection, sql: string): Promise<number> {
  return Number((await (await connection.run(sql)).getRows())[0]?.[0])
}
