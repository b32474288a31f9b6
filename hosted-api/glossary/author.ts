import type { Call } from '../http/index.ts'
import { createPace, type Pace } from '../http/pace.ts'
import type { Tx } from '../storage/index.ts'
import { createColumnFinder } from './columns.ts'
import type { ChangeAuthor, ProjectWriting } from './create.ts'

/** Returns the author and time of a request's changes. */
export function authorOf(call: Call): ChangeAuthor {
  const { principal, requestId, storage } = call
  return { actor: principal.actor, requestId, now: storage.clock().toISOString() }
}

/** Returns what a request writes in a transaction. */
export function writingOf(tx: Tx, call: Call): ProjectWriting {
  return {
    tx,
    project: Number(call.project),
    author: authorOf(call),
    columns: createColumnFinder(tx, call.principal),
  }
}

/** For the work on many records of one request. */
export function uploadPace({ limits }: Call): Pace {
  return createPace(limits.jobTime, 'job-timeout')
}
