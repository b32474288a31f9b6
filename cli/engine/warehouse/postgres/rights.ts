/**
 * What a role may not do and a run has to: make schemas and tables, write state, replace what another role made, read the
 * tables of others.
 */
import type { MissingRight, NeededRights, Relation } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { closedToReaders } from './grants.ts'
import { isAmong } from './relations.ts'

const { literal } = dialect

export async function missingRights(
  connection: Connection,
  needed: NeededRights,
): Promise<readonly MissingRight[]> {
  const parts = [
    onDatabase,
    onSchemas(['svc', ...needed.schemas]),
    onState,
    onWhatOthersMade(needed),
    onTables(needed.tables),
  ]
  const inOrder = parts.map(part => `(${part} ORDER BY 1)`)
  const { rows } = await connection.query<MissingRight>(inOrder.join('\nUNION ALL\n'))
  return [...rows, ...(await closedToReaders(connection, needed.readers))]
}

/**
 * Returns SQL for the statement that lets the current role act as `owner`, an expression for the number of a role. A role that
 * does not inherit has no rights of the roles that it belongs to.
 */
export function membershipSql(owner: string): string {
  return `(SELECT CASE
      WHEN me.rolinherit AND NOT pg_has_role(${owner}, 'MEMBER') THEN given.membership || ';'
      WHEN current_setting('server_version_num')::integer >= 160000 THEN given.membership || ' WITH INHERIT TRUE, SET TRUE;'
      ELSE CASE WHEN pg_has_role(${owner}, 'MEMBER') THEN '' ELSE given.membership || '; ' END
        || format('ALTER ROLE %I INHERIT;', current_user)
      END
    FROM pg_roles AS me,
      LATERAL (SELECT format('GRANT %I TO %I', pg_get_userbyid(${owner}), current_user)) AS given(membership)
    WHERE me.rolname = current_user)`
}

/** Rows of a load go through temporary tables. */
const onDatabase = `SELECT needed.what || current_database() AS what,
    format('GRANT %s ON DATABASE %I TO %I;', needed.right, current_database(), current_user) AS statement
  FROM (VALUES ('make schemas in ', 'CREATE'), ('make temporary tables in ', 'TEMPORARY')) AS needed(what, "right")
  WHERE NOT has_database_privilege(current_database(), needed.right)`

function onSchemas(schemas: readonly string[]): string {
  const names = [...new Set(schemas)].map(literal).join(', ')
  return `SELECT 'make relations in ' || n.nspname,
      format('GRANT USAGE, CREATE ON SCHEMA %I TO %I;', n.nspname, current_user)
    FROM pg_namespace AS n
    WHERE n.nspname IN (${names})
      AND NOT (has_schema_privilege(n.oid, 'USAGE') AND has_schema_privilege(n.oid, 'CREATE'))`
}

const onState = `SELECT 'read and write the state tables of svc',
    format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA svc TO %I;', current_user)
  WHERE EXISTS (
    SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed("right")
    WHERE n.nspname = 'svc' AND c.relkind = 'r' AND NOT has_table_privilege(c.oid, needed.right))`

/** Where the state does not tell what earlier runs made, views of builds and what they read count, whose project it was. */
function onWhatOthersMade({ schemas, made }: NeededRights): string {
  const owners =
    made === undefined
      ? `SELECT unnest(ARRAY[c.relowner, built.relowner, green.nspowner])
          FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
            JOIN pg_rewrite AS r ON r.ev_class = c.oid
            JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
            JOIN pg_class AS built ON d.refclassid = 'pg_class'::regclass AND built.oid = d.refobjid
            JOIN pg_namespace AS green ON green.oid = built.relnamespace AND starts_with(green.nspname, 'svc_g_')
          WHERE c.relkind = 'v' AND n.nspname IN (${schemas.map(literal).join(', ')})`
      : `SELECT c.relowner FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
          WHERE ${isAmong([...made.views, ...made.builds])}
        UNION SELECT nspowner FROM pg_namespace
          WHERE nspname IN (SELECT made.schema FROM ${valuesOf(made.builds)} AS made(schema, name))`
  return `SELECT format('replace or remove what %s made', pg_get_userbyid(owner)), ${membershipSql('owner')}
    FROM (${owners}) AS others(owner)
    WHERE NOT pg_has_role(owner, 'USAGE')
    GROUP BY owner`
}

/** Names without quotes are compared as the server compares them; one in other letters is most likely meant. */
function onTables(tables: readonly Relation[]): string {
  return `SELECT format('read %I.%I', n.nspname, c.relname), concat_ws(' ',
      CASE WHEN NOT has_schema_privilege(n.oid, 'USAGE')
        THEN format('GRANT USAGE ON SCHEMA %I TO %I;', n.nspname, current_user) END,
      CASE WHEN NOT has_table_privilege(c.oid, 'SELECT')
        THEN format('GRANT SELECT ON %I.%I TO %I;', n.nspname, c.relname, current_user) END)
    FROM ${valuesOf(tables)} AS wanted(schema, name)
      JOIN pg_namespace AS n ON lower(n.nspname) = lower(wanted.schema)
      JOIN pg_class AS c ON c.relnamespace = n.oid AND lower(c.relname) = lower(wanted.name)
        AND c.relkind IN ('r', 'v', 'm', 'f', 'p')
    WHERE NOT (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'))`
}

function valuesOf(relations: readonly Relation[]): string {
  if (relations.length === 0) return `(SELECT NULL::text, NULL::text WHERE false)`
  const rows = new Set(relations.map(({ schema, name }) => `(${literal(schema)}, ${literal(name)})`))
  return `(VALUES ${[...rows].join(', ')})`
}
