/** The names of DuckDB's functions, for "did you mean". */
import type { Binder } from './binder.ts'

export async function readFunctions(binder: Binder): Promise<readonly string[]> {
  const rows = await binder.rows(
    "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name SIMILAR TO '[a-z][a-z0-9_]*'",
  )
  return [...rows.map(row => String(row[0])), ...windowFunctions]
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
