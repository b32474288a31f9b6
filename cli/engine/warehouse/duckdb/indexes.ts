/** Indexes of tables. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { TableIndex } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import type { Dialect } from '../dialect.ts'
import type { Relation } from '../warehouse.ts'

export interface IndexedTable {
  readonly target: Relation
  readonly dialect: Dialect
}

/** An index without a name gets one by its place: an engine name is needed, and nothing else has it. */
export async function makeIndex(
  connection: DuckDBConnection,
  table: IndexedTable,
  { columns, unique, method, name }: TableIndex,
  place: number,
): Promise<void> {
  const { target, dialect } = table
  if (unique) await refuseDuplicates(connection, table, columns)
  const named = dialect.identifier(name ?? `${target.name}__index_${place + 1}`)
  const using = method === undefined ? '' : ` USING ${method}`
  const list = columns.map(dialect.identifier).join(', ')
  await connection.run(
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${named} ON ${dialect.relation(target)}${using} (${list})`,
  )
}

/** Returns how many combinations of values come more than once; one with a missing value does not count. */
export async function repeatedValues(
  connection: DuckDBConnection,
  { target, dialect }: IndexedTable,
  columns: readonly string[],
): Promise<number> {
  const list = columns.map(dialect.identifier)
  const present = list.map(column => `${column} IS NOT NULL`).join(' AND ')
  const result = await connection.run(
    `SELECT count(*) FROM (SELECT 1 FROM ${dialect.relation(target)} WHERE ${present}
     GROUP BY ${list.join(', ')} HAVING count(*) > 1)`,
  )
  return Number((await result.getRows())[0]?.[0])
}

/** Inside the transaction that makes the table, DuckDB would find them at the commit only, where nobody knows of which index. */
async function refuseDuplicates(
  connection: DuckDBConnection,
  table: IndexedTable,
  columns: readonly string[],
): Promise<void> {
  const found = await repeatedValues(connection, table, columns)
  if (found === 0) return
  const what = columns.length === 1 ? columns[0] : `(${columns.join(', ')})`
  throw new SvcError(
    'build-failed',
    `the index cannot be unique: ${found === 1 ? '1 value' : `${found} values`} of ${what} ${found === 1 ? 'comes' : 'come'} more than once`,
    { hint: 'Leave out "unique", or take the duplicates out in the query.' },
  )
}
