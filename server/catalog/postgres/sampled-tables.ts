/** Queries with TABLESAMPLE. Only tables that can have rows can be sampled, and those of the catalogue are foreign ones. */
import { quote } from '../../language/engines/postgres/names.ts'
import type { PostgresHere } from './open-image.ts'

const samples = /\btablesample\b/i

/** Returns the statements that put ordinary tables in the place of those that the query names, if it samples any. */
export async function swapsForSamples({ database }: PostgresHere, sql: string): Promise<readonly string[]> {
  if (!samples.test(sql)) return []
  const { rows } = await database.query<[string, string]>(
    "SELECT nspname, relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind = 'f'",
    [],
    { rowMode: 'array' },
  )
  return rows.flatMap(([schema, name], index) => {
    const table = `${quote(schema)}.${quote(name)}`
    const aside = quote(`svc aside ${index}`)
    if (!sql.includes(table)) return []
    return [
      `ALTER FOREIGN TABLE ${table} RENAME TO ${aside}`,
      `CREATE TABLE ${table} (LIKE ${quote(schema)}.${aside})`,
    ]
  })
}
