/** The names of DuckDB's functions, for "did you mean". */
import type { Binder } from './binder.ts'

export interface FunctionNames {
  readonly all: readonly string[]
  readonly aggregates: ReadonlySet<string>
}

export async function readFunctions(binder: Binder): Promise<FunctionNames> {
  const rows = await binder.rows(
    "SELECT function_name, bool_or(function_type = 'aggregate') FROM duckdb_functions() WHERE function_name SIMILAR TO '[a-z][a-z0-9_]*' GROUP BY ALL",
  )
  const aggregates = rows.flatMap(([name, isAggregate]) => (isAggregate === true ? [String(name)] : []))
  return { all: [...rows.map(row => String(row[0])), ...windowFunctions], aggregates: new Set(aggregates) }
}

/** Known to the parser alone. */
const windowFunctions = [
  'coalesce',
  'cume_dist',
  'dense_rank',
  'first_value',
  'lag',
  'last_value',
  'lead',
  'nth_value',
  'ntile',
  'nullif',
  'percent_rank',
  'rank',
  'row_number',
]

/** What people mean most often; among equally near names one of these is offered first. */
export const commonFunctions: readonly string[] =
  'abs acos any_value arg_max arg_min array_agg asin atan avg ceil coalesce concat concat_ws contains cos count current_date date_add date_diff date_part date_trunc day dayname dense_rank exp first first_value floor format greatest hour ifnull json_extract lag last last_value lead least left length list ln log lower ltrim max max_by md5 median min min_by minute mode month monthname now ntile nullif percent_rank position pow quantile quantile_cont radians random range rank regexp_extract regexp_matches regexp_replace replace reverse right round row_number rtrim second sin sqrt starts_with stddev strftime string_agg string_split strptime struct_pack substr substring sum tan to_timestamp today trim trunc try_cast unnest upper uuid variance week year'.split(
    ' ',
  )
