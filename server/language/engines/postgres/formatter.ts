/** The layout of PostgreSQL's queries. */
import { postgresql } from 'sql-formatter'
import { queryFormatter } from '../query-formatter.ts'

export const postgresFormatter = queryFormatter(postgresql, {
  clauses: ['GROUP BY DISTINCT', 'FOR UPDATE', 'FOR NO KEY UPDATE', 'FOR SHARE', 'FOR KEY SHARE'],
})
