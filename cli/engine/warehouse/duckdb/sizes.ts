/**
 * Returns the space that tables take in the file: the blocks of their columns. Blocks that tables share count
 * for each of them.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Dialect } from '../dialect.ts'
import type { Relation } from '../warehouse.ts'

const atOnce = 100

/** Returns sizes by `schema.name`, of tables only. */
export async function sizesOf(
  connection: DuckDBConnection,
  relations: readonly Relation[],
  dialect: Dialect,
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  const tables = await tablesAmong(connection, relations)
  const blockSize = Number(
    (await rows(connection, 'SELECT block_size FROM pragma_database_size()'))[0]?.[0] ?? 0,
  )
  for (let start = 0; start < tables.length; start += atOnce) {
    const queries = tables.slice(start, start + atOnce).map(relation => {
      const name = dialect.literal(dialect.relation(relation))
      return `SELECT ${dialect.literal(idOf(relation))}, count(DISTINCT block_id) FROM pragma_storage_info(${name})
        WHERE block_id >= 0`
    })
    for (const [id, blocks] of await rows(connection, queries.join(' UNION ALL ')))
      sizes.set(String(id), Number(blocks) * blockSize)
  }
  return sizes
}

async function tablesAmong(
  connection: DuckDBConnection,
  relations: readonly Relation[],
): Promise<Relation[]> {
  const known = await rows(
    connection,
    'SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database()',
  )
  const ids = new Set(known.map(([schema, name]) => `${schema}.${name}`))
  return relations.filter(relation => ids.has(idOf(relation)))
}

async function rows(connection: DuckDBConnection, sql: string): Promise<unknown[][]> {
  return (await connection.run(sql)).getRows()
}

function idOf({ schema, name }: Relation): string {
  return `${schema}.${name}`
}
