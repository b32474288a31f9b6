/** The names of DuckDB's functions, for "did you mean". */
import { duckdbFunctions } from '../../language/engines/duckdb/functions.ts'
import type { FunctionNames } from '../function-names.ts'

export async function functionNames(
  rows: (sql: string) => Promise<readonly (readonly unknown[])[]>,
): Promise<FunctionNames> {
  const found = await rows(
    "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name SIMILAR TO '[a-z][a-z0-9_]*'",
  )
  return { all: [...found.map(row => String(row[0])), ...ofParser], common: commonFunctions }
}

/** These functions are built into the parser and are in no table of functions. */
const ofParser = ['coalesce', 'nullif', ...duckdbFunctions.windows]

const commonFunctions: readonly string[] =
  'abs acos any_value arg_max arg_min array_agg asin atan avg ceil coalesce concat concat_ws contains cos count current_date date_add date_diff date_part date_trunc day dayname dense_rank exp first first_value floor format greatest hour ifnull json_extract lag last last_value lead least left length list ln log lower ltrim max max_by md5 median min min_by minute mode month monthname now ntile nullif percent_rank position pow quantile quantile_cont radians random range rank regexp_extract regexp_matches regexp_replace replace reverse right round row_number rtrim second sin sqrt starts_with stddev strftime string_agg string_split strptime struct_pack substr substring sum tan to_timestamp today trim trunc try_cast unnest upper uuid variance week year'.split(
    ' ',
  )
