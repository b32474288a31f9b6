/** What follows the name of each kind of test: the shape that most tests have. Lines are indented for column 0. */
import { hole } from '../completion.ts'

const column = hole(1, 'column')

export const testSnippets: Readonly<Record<string, string>> = {
  unique: `: ${column}$0`,
  not_null: `: ${column}$0`,
  accepted_values: `: {${column}: [${hole(2, 'value')}]}$0`,
  relationships: `: {${column}: ${hole(2, 'asset.column')}}$0`,
  range: `: {${column}: {min: ${hole(2, '0')}}}$0`,
  matches: `: {${column}: "${hole(2, '.+')}"}$0`,
  row_count: `: {min: ${hole(1, '1')}}$0`,
  fresh: `: {column: ${column}, within: ${hole(2, '24h')}}$0`,
  expression: `: ${hole(1, 'condition')}$0`,
  unit: `:\n  given:\n    ${hole(1, 'input')}:\n      - {$2}\n  expect:\n    - {$3}$0`,
  sql: `: |\n  SELECT *\n  FROM {{ this }}\n  WHERE ${hole(1, 'what must not be')}$0`,
}
