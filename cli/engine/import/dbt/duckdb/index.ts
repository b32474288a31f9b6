/** What a dbt project becomes on DuckDB. */
import type { DbtDialect } from '../dialect.ts'
import { askingMacros, library, preferred } from './library.ts'
import { rewritten } from './rewrite.ts'
import { star } from './star.ts'
import { typeOf } from './types.ts'

export const duckdb: DbtDialect = {
  adapter: 'duckdb',
  library,
  preferred,
  askingMacros,
  star,
  rewritten,
  type: typeOf,
}
