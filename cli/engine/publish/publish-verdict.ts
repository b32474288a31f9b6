/** The verdict of an attempt to publish, as it is recorded. */
import type { RunVerdict } from '@svc/server/contract'
import { verdictOf } from '@svc/server/verdicts'
import type { PublishCounts, PublishRecord } from '../state/state.ts'

type Attempted = Pick<PublishRecord, 'status' | 'counts' | 'warnings'>

export function publishVerdict({ status, counts, warnings }: Attempted, wasStopped = false): RunVerdict {
  return verdictOf({
    kind: 'publish',
    status: status === 'published' ? 'deployed' : status,
    ending: wasStopped ? 'cancelled' : undefined,
    isPart: status === 'published' && counts !== null && untaken(counts) > 0,
    warnings: warnings?.length ?? 0,
    isIdle: counts !== null && moved(counts) === 0,
  })
}

/** How many rows were not sent or not taken. */
function untaken({ invalid, refused }: PublishCounts): number {
  return invalid + refused
}

function moved({ inserts, updates, deletes }: PublishCounts): number {
  return inserts + updates + deletes
}
