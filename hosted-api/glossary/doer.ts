import type { Call } from '../http/index.ts'
import type { Doer } from './create.ts'

/** Returns the author and time of a request's changes. */
export function doerOf(call: Call): Doer {
  const { principal, requestId, storage } = call
  return { actor: principal.actor, requestId, now: storage.clock().toISOString() }
}
