/** Loads that `limits.max_rows` ends: without a word, a part of a source would look like all of it. */
import type { SourceIngest } from '@svc/server/language'
import type { FetchedRecords } from './finish-fetch.ts'
import type { FetchContext } from './source.ts'

/** Returns whether the limit has ended the fetch, as far as anybody can know. */
export function isLimited(
  { limits: { maxRows } }: Pick<SourceIngest, 'limits'>,
  { rows, asksForNoMore }: Pick<FetchedRecords, 'rows' | 'asksForNoMore'>,
): boolean {
  if (maxRows === undefined) return false
  return rows > maxRows || (rows === maxRows && asksForNoMore === true)
}

/** Warns of a table that holds a part of its source, or does not have its newest records yet. */
export function tellLimit(
  { onWarning }: FetchContext,
  ingest: Pick<SourceIngest, 'limits' | 'incremental'>,
  records: FetchedRecords,
): void {
  if (!isLimited(ingest, records)) return
  const { maxRows = 0 } = ingest.limits
  const { rows } = records
  const ended = `the load ended after ${maxRows === 1 ? '1 record' : `${maxRows} records`}, as limits.max_rows says`
  const goesOn = ingest.incremental !== undefined
  onWarning?.({
    code: 'limited-rows',
    count: maxRows,
    message: `${ended}; ${goesOn ? 'the next load goes on there' : `the source ${rows > maxRows ? 'has' : 'may have'} more`}`,
    hint: goesOn
      ? 'The table has all records up to there. Raise limits.max_rows, or run again, for the rest.'
      : 'The table has these records alone. Raise limits.max_rows, or take it out, to load all.',
  })
}
