/**
 * The sql-formatter dialect for PostgreSQL, restricted to queries. Statements that a template never contains
 * are removed: sql-formatter would start one at a column named `update` or `set`.
 */
import { postgresql } from 'sql-formatter'
import type { EngineFormatter } from '../formatters.ts'

const clausesOfQueries = [
  'WITH',
  'WITH RECURSIVE',
  'FROM',
  'WHERE',
  'GROUP BY',
  'GROUP BY DISTINCT',
  'HAVING',
  'WINDOW',
  'PARTITION BY',
  'ORDER BY',
  'LIMIT',
  'OFFSET',
  'FETCH FIRST',
  'FETCH NEXT',
  'FOR UPDATE',
  'FOR NO KEY UPDATE',
  'FOR SHARE',
  'FOR KEY SHARE',
  'VALUES',
]

/** Words that are keywords next to each other and names elsewhere. */
const phrases = [
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

const reservedWords = ['FILTER', 'ISNULL', 'NOTNULL', 'OVER', 'OVERLAPS', 'TABLESAMPLE', 'WITHIN']

const given = postgresql.tokenizerOptions

const dialect: EngineFormatter['dialect'] = {
  ...postgresql,
  tokenizerOptions: {
    ...given,
    reservedClauses: clausesOfQueries,
    reservedKeywordPhrases: [...(given.reservedKeywordPhrases ?? []), ...phrases],
    reservedKeywords: [...given.reservedKeywords, ...reservedWords],
    // Types are not reserved, so that they keep their case.
    reservedDataTypes: [],
    reservedFunctionNames: given.reservedFunctionNames.filter(name => name !== 'FILTER'),
    nestedBlockComments: true,
  },
  // Common table expressions start on the line of WITH.
  formatOptions: { onelineClauses: ['WITH', 'WITH RECURSIVE'], alwaysDenseOperators: ['::'] },
}

export const postgresFormatter: EngineFormatter = {
  dialect,
  reservedWords: new Set(given.reservedKeywords),
}
