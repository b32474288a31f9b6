/**
 * Asks a server which functions and types its database has beyond PostgreSQL itself, as CREATE statements with which SQL can be
 * checked: the signatures, and the bodies of functions that are SQL and read nothing.
 */
import type { DeclaredThere } from '../declared-there.ts'
import type { Connection } from './connections.ts'
import { postgresDialect } from './dialect.ts'

/** Objects of users, and of extensions that are not in `$1`, by the table of the catalogue and the column of their schema. */
function ofUsers(catalog: string, schema: string): string {
  return `${schema} IN (SELECT oid FROM pg_namespace WHERE nspname !~ '^(pg_|svc_|_svc)' AND nspname NOT IN ('information_schema', 'svc'))
    AND NOT EXISTS (SELECT FROM pg_depend JOIN pg_extension e ON e.oid = refobjid
      WHERE classid = '${catalog}'::regclass AND objid = o.oid AND pg_depend.deptype = 'e' AND extname = ANY ($1))`
}

/** Values of these types only the server itself makes. */
const callable = `o.prokind IN ('f', 'a') AND NOT ARRAY['internal', 'cstring', 'trigger', 'event_trigger', 'language_handler',
  'fdw_handler', 'index_am_handler', 'table_am_handler', 'tsm_handler']::regtype[] && (o.prorettype::regtype || o.proargtypes::regtype[])`

const unknownBody = "BEGIN RAISE EXCEPTION 'only the signature of this function is known here'; END"

/**
 * What a type makes of its modifiers only the server knows: one number is kept as it is, and others are taken without being told.
 * The backslashes are those of a text that is formatted.
 */
const modifierBody =
  "BEGIN RETURN CASE WHEN array_to_string(m::text[], ',') ~ '^[0-9]{1,9}$' THEN (m::text[])[1]::integer ELSE -1 END; END"

const parts: readonly string[] = [
  `SELECT DISTINCT format('CREATE SCHEMA IF NOT EXISTS %I', nspname) AS sql FROM pg_namespace n
    WHERE nspname <> 'public' AND (EXISTS (SELECT FROM pg_proc o WHERE pronamespace = n.oid AND ${ofUsers('pg_proc', 'pronamespace')})
      OR EXISTS (SELECT FROM pg_type o WHERE typnamespace = n.oid AND typtype IN ('e', 'd', 'b') AND typcategory <> 'A'
        AND ${ofUsers('pg_type', 'typnamespace')})) ORDER BY 1`,
  `SELECT CASE typtype
      WHEN 'e' THEN format('CREATE TYPE %s AS ENUM (%s)', o.oid::regtype, (SELECT string_agg(quote_literal(enumlabel), ', '
        ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = o.oid))
      WHEN 'd' THEN format('CREATE DOMAIN %s AS %s', o.oid::regtype, format_type(typbasetype, typtypmod))
      WHEN 'c' THEN format('CREATE TYPE %s AS (%s)', o.oid::regtype, (SELECT string_agg(format('%I %s', attname,
        format_type(atttypid, atttypmod)), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = typrelid AND attnum > 0 AND NOT attisdropped))
      WHEN 'r' THEN format('CREATE TYPE %s AS RANGE (SUBTYPE = %s)', o.oid::regtype,
        (SELECT rngsubtype::regtype FROM pg_range WHERE rngtypid = o.oid))
      ELSE format(E'CREATE TYPE %1$s;\\nCREATE FUNCTION %2$s(cstring) RETURNS %1$s AS \\'textin\\' LANGUAGE internal IMMUTABLE STRICT;\\nCREATE FUNCTION %3$s(%1$s) RETURNS cstring AS \\'textout\\' LANGUAGE internal IMMUTABLE STRICT;\\n%4$sCREATE TYPE %1$s (INPUT = %2$s, OUTPUT = %3$s,%5$s LIKE = text)',
        o.oid::regtype, quote_ident(nspname) || '.' || quote_ident(typname || ' in'), quote_ident(nspname) || '.' || quote_ident(typname || ' out'),
        CASE WHEN typmodin <> 0 THEN format(E'CREATE FUNCTION %s(m cstring[]) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT AS $svc$${modifierBody.replaceAll("'", "\\'")}$svc$;\\n', modifier) END,
        CASE WHEN typmodin <> 0 THEN format(' TYPMOD_IN = %s,', modifier) END)
      END AS sql
    FROM pg_type o JOIN pg_namespace ns ON ns.oid = typnamespace LEFT JOIN pg_class c ON c.oid = typrelid
      CROSS JOIN LATERAL (SELECT quote_ident(nspname) || '.' || quote_ident(typname || ' mod') AS modifier) AS m
    WHERE typtype IN ('e', 'd', 'c', 'r', 'b') AND typisdefined AND NOT (typtype = 'b' AND typcategory = 'A') AND (typtype <> 'c' OR c.relkind = 'c')
      AND ${ofUsers('pg_type', 'typnamespace')} ORDER BY o.oid`,
  `SELECT CASE WHEN o.prokind = 'a' THEN format(E'CREATE FUNCTION %1$s(%2$s, %3$s) RETURNS %2$s LANGUAGE plpgsql IMMUTABLE AS $svc$${unknownBody.replaceAll("'", "\\'")}$svc$;\\nCREATE AGGREGATE %4$s(%3$s) (SFUNC = %1$s, STYPE = %2$s)',
        quote_ident(nspname) || '.' || quote_ident(proname || ' step'), o.prorettype::regtype, pg_get_function_identity_arguments(o.oid),
        quote_ident(nspname) || '.' || quote_ident(proname))
      WHEN lanname IN ('sql', 'plpgsql') AND provolatile = 'i' AND prosqlbody IS NULL THEN rtrim(pg_get_functiondef(o.oid))
      ELSE format('CREATE OR REPLACE FUNCTION %I.%I(%s) RETURNS %s LANGUAGE plpgsql %s%s AS $svc$%s$svc$', nspname, proname,
        pg_get_function_arguments(o.oid), pg_get_function_result(o.oid),
        CASE provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' ELSE 'VOLATILE' END,
        CASE WHEN proisstrict THEN ' STRICT' ELSE '' END, ${postgresDialect.literal(unknownBody)})
      END AS sql
    FROM pg_proc o JOIN pg_namespace ns ON ns.oid = pronamespace JOIN pg_language l ON l.oid = prolang
    WHERE ${callable} AND (o.prokind = 'f' OR EXISTS (SELECT FROM pg_aggregate a WHERE a.aggfnoid = o.oid AND aggkind = 'n'
        AND o.pronargs > 0 AND o.provariadic = 0))
      AND ${ofUsers('pg_proc', 'pronamespace')} ORDER BY o.prokind DESC, nspname, proname, o.oid::regprocedure::text`,
  `SELECT format('CREATE OPERATOR %I.%s (%s%s FUNCTION = %s)', nspname, oprname,
      CASE WHEN oprleft = 0 THEN '' ELSE format('LEFTARG = %s, ', oprleft::regtype) END, format('RIGHTARG = %s,', oprright::regtype), oprcode) AS sql
    FROM pg_operator o JOIN pg_namespace ns ON ns.oid = oprnamespace JOIN pg_proc p ON p.oid = oprcode
    WHERE oprright <> 0 AND ${ofUsers('pg_operator', 'oprnamespace')} ORDER BY 1`,
  `SELECT format('CREATE CAST (%s AS %s) %s%s', castsource::regtype, casttarget::regtype,
      CASE castmethod WHEN 'f' THEN format('WITH FUNCTION %s', castfunc::regprocedure) WHEN 'i' THEN 'WITH INOUT' ELSE 'WITHOUT FUNCTION' END,
      CASE castcontext WHEN 'i' THEN ' AS IMPLICIT' WHEN 'a' THEN ' AS ASSIGNMENT' ELSE '' END) AS sql
    FROM pg_cast o WHERE o.oid >= 16384
      AND NOT EXISTS (SELECT FROM pg_range WHERE rngtypid = castsource AND rngmultitypid = casttarget)
      AND NOT EXISTS (SELECT FROM pg_depend JOIN pg_extension e ON e.oid = refobjid
      WHERE classid = 'pg_cast'::regclass AND objid = o.oid AND deptype = 'e' AND extname = ANY ($1)) ORDER BY 1`,
]

/** Leaves out the objects of extensions that are known by their names. */
export async function declared(
  connection: Connection,
  isKnown: (extension: string) => boolean,
): Promise<DeclaredThere> {
  await connection.query('BEGIN TRANSACTION READ ONLY; SET LOCAL search_path = pg_catalog')
  try {
    const found = await connection.query<{ name: string }>(
      "SELECT extname AS name FROM pg_extension WHERE extname <> 'plpgsql' ORDER BY 1",
    )
    const extensions = found.rows.map(({ name }) => name)
    const known = extensions.filter(isKnown)
    const statements: string[] = []
    for (const part of parts) {
      const { rows } = await connection.query<{ sql: string }>(part, [known])
      statements.push(...rows.map(({ sql }) => sql))
    }
    return { statements, extensions }
  } finally {
    await connection.query('ROLLBACK')
  }
}
