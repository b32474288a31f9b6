/** What a role may not do and a run has to: make schemas, write state, replace production views. */
import type { MissingRight } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'

const { literal } = dialect

export async function missingRights(
  connection: Connection,
  schema: string,
): Promise<readonly MissingRight[]> {
  const { rows } = await connection.query<MissingRight>(rightsSql(schema))
  return rows
}

/** `greens`: the schemas of builds are the role's own where it made them. */
function rightsSql(schema: string): string {
  const names = ['svc', schema].map(literal).join(', ')
  return `SELECT 'make schemas in ' || current_database() AS what,
      format('GRANT CREATE ON DATABASE %I TO %I;', current_database(), current_user) AS statement
    WHERE NOT has_database_privilege(current_database(), 'CREATE')
    UNION ALL
    SELECT 'make relations in ' || n.nspname, format('GRANT USAGE, CREATE ON SCHEMA %I TO %I;', n.nspname, current_user)
    FROM pg_namespace AS n
    WHERE n.nspname IN (${names}) AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_schema_privilege(n.oid, 'CREATE'))
    UNION ALL
    SELECT 'write the state tables of svc',
      format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA svc TO %I;', current_user)
    WHERE EXISTS (SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = 'svc' AND c.relkind = 'r'
        AND NOT (has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')))
    UNION ALL
    SELECT format('replace views of %s in %s', pg_get_userbyid(c.relowner), n.nspname),
      format('GRANT %I TO %I;', pg_get_userbyid(c.relowner), current_user)
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = ${literal(schema)} AND c.relkind = 'v' AND NOT pg_has_role(c.relowner, 'USAGE')
    GROUP BY c.relowner, n.nspname`
}
