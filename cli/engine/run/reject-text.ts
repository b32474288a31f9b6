/** Returns what a contract rejected in words: `3 records, 2 values, new column note`. */
import { countOf } from '../counts.ts'
import type { RejectCounts } from '../ingest/source.ts'

export function rejectText({ rows, values, columns, tables }: RejectCounts): string {
  const facts = [
    ...(rows > 0 ? [countOf(rows, 'record')] : []),
    ...(values > 0 ? [countOf(values, 'value')] : []),
    ...(columns.length > 0 ? [`new column${columns.length === 1 ? '' : 's'} ${columns.join(', ')}`] : []),
    ...(tables.length > 0 ? [`new child table${tables.length === 1 ? '' : 's'} ${tables.join(', ')}`] : []),
  ]
  return facts.join(', ')
}
