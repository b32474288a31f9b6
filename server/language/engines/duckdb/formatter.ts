/**
 * sql-formatter's DuckDB, cut down to queries and with its gaps filled. Statements that a template never holds are
 * taken out: to sql-formatter a column called `update` or `set` would begin one.
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

/** Words that are keywords beside each other and names elsewhere. */
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

/** Words that are no names in DuckDB, and unknown to sql-formatter. */
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
    // The case of a type is the user's.
    reservedDataTypes: [],
    operators: [...(given.operators ?? []), ...operators],
    reservedFunctionNames: given.reservedFunctionNames.filter(name => name !== 'FILTER'),
    nestedBlockComments: true,
    // `#1` is the first column.
    paramTypes: { ...given.paramTypes, custom: [{ regex: '#[0-9]+' }] },
  },
  // Common table expressions stand beside WITH, not below it.
  formatOptions: { onelineClauses: ['WITH', 'WITH RECURSIVE'], alwaysDenseOperators: ['::'] },
}

export const duckdbFormatter: EngineFormatter = {
  dialect,
  reservedWords: new Set(given.reservedKeywords),
}
