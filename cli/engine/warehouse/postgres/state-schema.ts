/** The schema of the state tables: a warehouse that has none was never written to. */
import { stateSchema } from '../../state/tables.ts'
import type { Connection } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { createSchema } from './relations.ts'

export async function stateSchemaExists(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(
    `SELECT to_regnamespace(${dialect.literal(dialect.identifier(stateSchema))}) IS NOT NULL AS found`,
  )
  return rows[0]?.found === true
}

/** Looks first: CREATE asks for a right of the database even where there is nothing to create. */
export async function ensureStateSchema(connection: Connection): Promise<void> {
  if (!(await stateSchemaExists(connection))) await createSchema(connection, stateSchema)
}
