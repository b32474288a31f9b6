/** Rights of roles to read production: which roles there are, and the statements that give and take. */
import type { MissingRight, SchemaReader, ViewGrant } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'

const { identifier, literal } = dialect

/** Everybody, which is a word and no role. */
const everybody = 'public'

export async function presentRoles(
  connection: Connection,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = names.filter(name => name !== everybody)
  const { rows } =
    asked.length === 0
      ? { rows: [] }
      : await connection.query<{ name: string }>(
          `SELECT rolname AS name FROM pg_roles WHERE rolname IN (${asked.map(literal).join(', ')})`,
        )
  return new Set([...rows.map(({ name }) => name), ...names.filter(name => name === everybody)])
}

/** A role that is gone has lost its rights with itself. */
export async function grantStatements(
  connection: Connection,
  grants: readonly ViewGrant[],
): Promise<readonly string[]> {
  if (grants.length === 0) return []
  const revoked = await presentRoles(connection, [...new Set(grants.flatMap(({ revoke }) => revoke))])
  const readers = grants.flatMap(({ view, grant }) => grant.map(role => ({ schema: view.schema, role })))
  const closed = (await closedSchemas(connection, readers)).filter(({ mayOpen }) => mayOpen)
  return [
    ...closed.map(({ schema, role }) => `GRANT USAGE ON SCHEMA ${identifier(schema)} TO ${roleName(role)}`),
    ...grants.flatMap(({ view, grant, revoke }) => {
      const name = dialect.relation(view)
      const gone = revoke.filter(role => revoked.has(role))
      return [
        ...(grant.length > 0 ? [`GRANT SELECT ON ${name} TO ${grant.map(roleName).join(', ')}`] : []),
        ...(gone.length > 0 ? [`REVOKE SELECT ON ${name} FROM ${gone.map(roleName).join(', ')}`] : []),
      ]
    }),
  ]
}

/** A right to read a view is of no use to whom its schema is closed, and only its owner can open it. */
export async function closedToReaders(
  connection: Connection,
  readers: readonly SchemaReader[],
): Promise<readonly MissingRight[]> {
  const closed = await closedSchemas(connection, readers)
  return closed
    .filter(({ mayOpen }) => !mayOpen)
    .map(({ schema, role }) => ({
      what: `let ${role} into the schema ${schema}, whose views it is to read`,
      statement: `GRANT USAGE ON SCHEMA ${identifier(schema)} TO ${roleName(role)};`,
    }))
}

interface ClosedSchema extends SchemaReader {
  /** Whether the role of this session may change it. */
  readonly mayOpen: boolean
}

async function closedSchemas(
  connection: Connection,
  readers: readonly SchemaReader[],
): Promise<readonly ClosedSchema[]> {
  if (readers.length === 0) return []
  const pairs = new Set(readers.map(({ schema, role }) => `(${literal(schema)}, ${literal(role)})`))
  const { rows } = await connection.query<{ schema: string; role: string; may: boolean }>(
    `SELECT n.nspname AS schema, wanted.role,
       pg_has_role(n.nspowner, 'USAGE') OR has_schema_privilege(n.oid, 'USAGE WITH GRANT OPTION') AS may
     FROM (VALUES ${[...pairs].join(', ')}) AS wanted(schema, role)
       JOIN pg_namespace AS n ON n.nspname = wanted.schema
     WHERE (wanted.role = ${literal(everybody)} OR EXISTS (SELECT 1 FROM pg_roles WHERE rolname = wanted.role))
       AND NOT has_schema_privilege(wanted.role, n.oid, 'USAGE')`,
  )
  return rows.map(({ schema, role, may }) => ({ schema, role, mayOpen: may }))
}

function roleName(role: string): string {
  return role === everybody ? 'PUBLIC' : identifier(role)
}
