/** What a dbt project becomes on PostgreSQL. */

import { CallProblem } from '../../jinja/problem.ts'
import type { DbtDialect } from '../dialect.ts'
import { preferred } from '../macro-library.ts'
import { askingMacros, library } from './library.ts'

/** The types that dbt and other warehouses call by names that PostgreSQL does not have. */
const types: Readonly<Record<string, string>> = {
  double: 'double precision',
  string: 'text',
  int64: 'bigint',
  float64: 'double precision',
  datetime: 'timestamp',
}

export const postgres: DbtDialect = {
  adapter: 'postgres',
  library,
  preferred,
  askingMacros,
  columnsHint: 'Write the columns out.',
  excluded: undefined,
  isFound(text, pattern, flags) {
    if (flags.replace('i', '') !== '')
      throw new CallProblem(`flags "${flags}" of a pattern have no counterpart`)
    return `(${text} ${flags === '' ? '~' : '~*'} ${pattern})`
  },
  // Its models are written in the SQL of PostgreSQL already.
  rewritten: sql => ({ sql, functions: [] }),
  type(text) {
    const plain = text.trim().toLowerCase()
    return types[plain] ?? plain
  },
}
