/** What a dbt project becomes on DuckDB. */

import type { DbtDialect } from '../dialect.ts'
import { preferred } from '../macro-library.ts'
import { askingMacros, library } from './library.ts'
import { rewritten } from './rewrite.ts'
import { typeOf } from './types.ts'

export const duckdb: DbtDialect = {
  adapter: 'duckdb',
  library,
  preferred,
  askingMacros,
  columnsHint: "Write the columns out, or DuckDB's COLUMNS: COLUMNS('(.*)') AS 'prefix_\\1'.",
  excluded: columns => `* exclude (${columns.join(', ')})`,
  isFound: (text, pattern, flags) =>
    `regexp_matches(${text}, ${pattern}${flags === '' ? '' : `, '${flags}'`})`,
  rewritten,
  type: typeOf,
}
