/**
 * Takes the functions that no SQL of a project may call out of the embedded PostgreSQL, so that none of them binds, however
 * its name is written. DuckDB refuses files by a setting; PostgreSQL asks only when it runs, and a superuser never.
 */
import { postgresFunctions } from '../../language/engines/postgres/functions.ts'

const names = [...postgresFunctions.closed].map(name => `'${name}'`).join(', ')

/** The form of `ts_rewrite` with two arguments runs the second one, a text, as SQL. */
export const closeFunctions: readonly string[] = [
  `DELETE FROM pg_catalog.pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
    AND (proname IN (${names}) OR oid = 'pg_catalog.ts_rewrite(tsquery, text)'::regprocedure)`,
]
