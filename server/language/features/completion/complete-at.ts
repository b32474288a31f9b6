/** Completion at an offset of a file. Never waits; what is not known is not offered. */
import type { Knowledge } from '../knowledge.ts'
import { sqlPlaceAt } from '../sql/sql-place.ts'
import { type Completion, noCompletion } from './completion.ts'
import { completeSql } from './sql/complete-sql.ts'

export function completionsAt(knowledge: Knowledge, path: string, offset: number): Completion {
  const place = sqlPlaceAt(knowledge, path, offset)
  if (place !== undefined) return completeSql(knowledge, place)
  return noCompletion
}
