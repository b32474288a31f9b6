/** Queries with TABLESAMPLE. Only tables that can have rows can be sampled, and those of the catalogue are foreign ones. */
import { quote } from '../../language/engines/postgres/names.ts'
import type { PostgresHere } from './open-image.ts'

const samples = /\btablesample\b/i

/** Does the work while ordinary tables are in the place of those that the query names, if it samples any. */
export async function overSampledTables<T>(
  { database }: PostgresHere,
  sql: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!samples.test(sql)) return await work()
  const { rows } = await database.query<[string, string]>(
    "SELECT nspname, relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind = 'f'",
    [],
    { rowMode: 'array' },
  )
  const swaps = rows.flatMap(([schema, name], index) => {
    const table = `${quote(schema)}.${quote(name)}`
    const aside = quote(`svc aside ${index}`)
    if (!sql.includes(table)) return []
    return [
      `ALTER FOREIGN TABLE ${table} RENAME TO ${aside}`,
      `CREATE TABLE ${table} (LIKE ${quote(schema)}.${aside})`,
    ]
  })
  await database.exec(['BEGIN', ...swaps].join(';'))
  try {
    return await work()
  } finally {
    await database.exec('ROLLBACK')
  }
}
