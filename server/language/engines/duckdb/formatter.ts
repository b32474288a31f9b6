/** The layout of DuckDB's queries. */
import { duckdb } from 'sql-formatter'
import { queryFormatter } from '../query-formatter.ts'

const given = duckdb.tokenizerOptions

export const duckdbFormatter = queryFormatter(duckdb, {
  clauses: ['GROUP BY ALL', 'ORDER BY ALL', 'USING SAMPLE', 'QUALIFY'],
  phrases: ['EXCLUDE NULLS', 'IGNORE NULLS', 'INCLUDE NULLS', 'RESPECT NULLS'],
  reserved: ['LAMBDA'],
  more: {
    reservedSetOperations: [...given.reservedSetOperations, 'UNION ALL BY NAME'],
    operators: [...(given.operators ?? []), '@>', '<@', '&&', '<->', '<=>', '<#>', '@'],
    // `#1` refers to the first column.
    paramTypes: { ...given.paramTypes, custom: [{ regex: '#[0-9]+' }] },
  },
})
