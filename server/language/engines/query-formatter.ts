/**
 * The sql-formatter dialects of engines, restricted to queries. Statements that a template never contains are removed:
 * sql-formatter would start one at a column named `update` or `set`.
 */
import type { DialectOptions } from 'sql-formatter'
import type { EngineFormatter } from './formatters.ts'

const usualClauses = [
  'WITH',
  'WITH RECURSIVE',
  'FROM',
  'WHERE',
  'GROUP BY',
  'HAVING',
  'WINDOW',
  'PARTITION BY',
  'ORDER BY',
  'LIMIT',
  'OFFSET',
  'FETCH FIRST',
  'FETCH NEXT',
  'VALUES',
]

/** Words that are keywords next to each other and names elsewhere. */
const usualPhrases = [
  'AT TIME ZONE',
  'CURRENT ROW',
  'EXCLUDE CURRENT ROW',
  'EXCLUDE GROUP',
  'EXCLUDE NO OTHERS',
  'EXCLUDE TIES',
  'GROUPING SETS',
  'NULLS FIRST',
  'NULLS LAST',
  'ROW ONLY',
  'ROWS ONLY',
  'UNBOUNDED FOLLOWING',
  'UNBOUNDED PRECEDING',
  'WITH ORDINALITY',
  'WITH TIES',
]

/** Reserved words that sql-formatter does not know. */
const usualWords = ['FILTER', 'ISNULL', 'NOTNULL', 'OVER', 'OVERLAPS', 'TABLESAMPLE', 'WITHIN']

interface OwnWords {
  readonly clauses: readonly string[]
  readonly phrases?: readonly string[]
  readonly reserved?: readonly string[]
  readonly more?: Partial<DialectOptions['tokenizerOptions']>
}

/** Completes a dialect of sql-formatter by the words of an engine beside the usual ones. */
export function queryFormatter(
  dialect: DialectOptions,
  { clauses, phrases = [], reserved = [], more }: OwnWords,
): EngineFormatter {
  const given = dialect.tokenizerOptions
  return {
    dialect: {
      ...dialect,
      tokenizerOptions: {
        ...given,
        reservedClauses: [...usualClauses, ...clauses],
        reservedKeywordPhrases: [...(given.reservedKeywordPhrases ?? []), ...usualPhrases, ...phrases],
        reservedKeywords: [...given.reservedKeywords, ...usualWords, ...reserved],
        // Types are not reserved, so that they keep their case.
        reservedDataTypes: [],
        reservedFunctionNames: given.reservedFunctionNames.filter(name => name !== 'FILTER'),
        nestedBlockComments: true,
        ...more,
      },
      // Common table expressions start on the line of WITH.
      formatOptions: { onelineClauses: ['WITH', 'WITH RECURSIVE'], alwaysDenseOperators: ['::'] },
    },
    reservedWords: new Set(given.reservedKeywords),
  }
}
