/** The names of DuckDB's functions, for "did you mean". */
import { nearestNames } from '../../language/text/nearest-names.ts'
import type { Binder } from '../binder.ts'

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

/** Nothing without OVER. */
export function isWindowFunction(name: string): boolean {
  return windowFunctions.includes(name.toLowerCase()) && !/^(coalesce|nullif)$/i.test(name)
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

/** Among equally near names, what people mean most often comes first. */
export function nearestFunctions(name: string, all: readonly string[]): string[] {
  const [nearest] = nearestNames(name, all, 1)
  const [common] = nearestNames(name, commonFunctions, 1)
  const first = common && nearest && slips(name, common) <= slips(name, nearest) ? common : nearest
  return [...new Set([first ?? [], nearestNames(name, all)].flat())].slice(0, 3)
}

/** Letters too many, missing, wrong or swapped with their neighbour. */
function slips(wrong: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= wrong.length; row++) {
    rows.push([row])
    for (let column = 1; column <= right.length; column++) {
      const isSame = wrong[row - 1] === right[column - 1]
      const isSwap = wrong[row - 1] === right[column - 2] && wrong[row - 2] === right[column - 1]
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      const replaced = at(row - 1, column - 1) + (isSame ? 0 : 1)
      rows[row]?.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped))
    }
  }
  return at(wrong.length, right.length)
}

const commonFunctions: readonly string[] =
  'abs acos any_value arg_max arg_min array_agg asin atan avg ceil coalesce concat concat_ws contains cos count current_date date_add date_diff date_part date_trunc day dayname dense_rank exp first first_value floor format greatest hour ifnull json_extract lag last last_value lead least left length list ln log lower ltrim max max_by md5 median min min_by minute mode month monthname now ntile nullif percent_rank position pow quantile quantile_cont radians random range rank regexp_extract regexp_matches regexp_replace replace reverse right round row_number rtrim second sin sqrt starts_with stddev strftime string_agg string_split strptime struct_pack substr substring sum tan to_timestamp today trim trunc try_cast unnest upper uuid variance week year'.split(
    ' ',
  )
