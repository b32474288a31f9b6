/** PostgreSQL's functions, for "did you mean" and for calls that match none of them. */
import { literal } from '../../language/engines/postgres/names.ts'
import type { FunctionNames } from '../function-names.ts'

type Rows = (sql: string) => Promise<readonly (readonly unknown[])[]>

const callable = `NOT 'internal'::regtype = ANY (proargtypes)`
const ofServer = `pronamespace = 'pg_catalog'::regnamespace`

export async function functionNames(rows: Rows): Promise<FunctionNames> {
  const found = await rows(
    `SELECT DISTINCT proname FROM pg_proc WHERE proname ~ '^[a-z][a-z0-9_]*$' AND ${ofServer} AND ${callable}`,
  )
  return { all: [...found.map(([name]) => String(name)), ...ofParser], common: commonFunctions }
}

/** These functions are built into the parser and are in no table of functions. */
const ofParser: readonly string[] = ['coalesce', 'greatest', 'grouping', 'least', 'nullif']

/**
 * Returns the ways to call a function, a line each: `round(numeric, integer) -> numeric`; undefined if there is
 * no function of that name. Arguments with a default may be left out.
 */
export async function overloadsOf(rows: Rows, name: string): Promise<string | undefined> {
  const dot = name.lastIndexOf('.')
  const schema = dot < 0 ? 'pg_catalog' : name.slice(0, dot)
  const found = await rows(
    `SELECT concat(proname, '(', (SELECT string_agg(format_type(type, NULL), ', ' ORDER BY n)
        FROM unnest(proargtypes) WITH ORDINALITY AS a (type, n) WHERE n <= arguments), ') -> ',
        format_type(prorettype, NULL))
      FROM pg_proc, generate_series(pronargs::int - pronargdefaults, pronargs::int) AS arguments
      WHERE proname = ${literal(name.slice(dot + 1))} AND pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = ${literal(schema)})
        AND provariadic = 0 AND ${callable} ORDER BY pronargs, 1`,
  )
  return found.length === 0 ? undefined : found.map(([line]) => String(line)).join('\n')
}

const commonFunctions: readonly string[] =
  'abs age any_value array_agg array_length array_to_string avg bool_and bool_or btrim cardinality ceil char_length coalesce concat concat_ws count cume_dist date_bin date_part date_trunc dense_rank exp extract first_value floor format generate_series greatest initcap jsonb_agg jsonb_array_elements jsonb_build_object jsonb_object_agg lag last_value lead least left length ln log lower lpad ltrim make_date max md5 min mod mode now nth_value ntile nullif percent_rank percentile_cont percentile_disc position power random rank regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table repeat replace reverse right round row_number rpad rtrim sign split_part sqrt starts_with stddev string_agg string_to_array strpos substr substring sum to_char to_date to_jsonb to_number to_timestamp translate trim trunc unnest upper variance width_bucket'.split(
    ' ',
  )
