/**
 * The sql-formatter dialect for DuckDB, restricted to queries and completed. Statements that a template never
 * contains are removed: sql-formatter would start one at a column named `update` or `set`.
 */
import { duckdb } from 'sql-formatter'
import type { EngineFormatter } from '../formatters.ts'

const clausesOfQueries = [
  'WITH',
  'WITH RECURSIVE',
  'FROM',
  'WHERE',
  'GROUP BY',
  'GROUP BY ALL',
  'HAVING',
  'WINDOW',
  'PARTITION BY',
  'ORDER BY',
  'ORDER BY ALL',
  'LIMIT',
  'OFFSET',
  'FETCH FIRST',
  'FETCH NEXT',
  'USING SAMPLE',
  'QUALIFY',
  'VALUES',
]

/** Words that are keywords next to each other and names elsewhere. */
const phrases = [
  'AT TIME ZONE',
  'CURRENT ROW',
  'EXCLUDE CURRENT ROW',
  'EXCLUDE GROUP',
  'EXCLUDE NO OTHERS',
  'EXCLUDE NULLS',
  'EXCLUDE TIES',
  'GROUPING SETS',
  'IGNORE NULLS',
  'INCLUDE NULLS',
  'NULLS FIRST',
  'NULLS LAST',
  'RESPECT NULLS',
  'ROW ONLY',
  'ROWS ONLY',
  'UNBOUNDED FOLLOWING',
  'UNBOUNDED PRECEDING',
  'WITH ORDINALITY',
  'WITH TIES',
]

/** Reserved words of DuckDB that sql-formatter does not know. */
const reservedWords = ['FILTER', 'ISNULL', 'LAMBDA', 'NOTNULL', 'OVER', 'OVERLAPS', 'TABLESAMPLE', 'WITHIN']

const operators = ['@>', '<@', '&&', '<->', '<=>', '<#>', '@']

const given = duckdb.tokenizerOptions

const dialect: EngineFormatter['dialect'] = {
  ...duckdb,
  tokenizerOptions: {
    ...given,
    reservedClauses: clausesOfQueries,
    reservedSetOperations: [...given.reservedSetOperations, 'UNION ALL BY NAME'],
    reservedKeywordPhrases: [...(given.reservedKeywordPhrases ?? []), ...phrases],
    reservedKeywords: [...given.reservedKeywords, ...reservedWords],
    // Types are not reserved, so that they keep their case.
    reservedDataTypes: [],
    operators: [...(given.operators ?? []), ...operators],
    reservedFunctionNames: given.reservedFunctionNames.filter(name => name !== 'FILTER'),
    nestedBlockComments: true,
    // `#1` refers to the first column.
    paramTypes: { ...given.paramTypes, custom: [{ regex: '#[0-9]+' }] },
  },
  // Common table expressions start on the line of WITH.
  formatOptions: { onelineClauses: ['WITH', 'WITH RECURSIVE'], alwaysDenseOperators: ['::'] },
}

export const duckdbFormatter: EngineFormatter = {
  dialect,
  reservedWords: new Set(given.reservedKeywords),
}
