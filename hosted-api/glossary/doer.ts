import type { Call } from '../http/index.ts'
import type { Doer } from './create.ts'

/** Who does what a request does, and when. */
export function doerOf(call: Call): Doer {
  const { principal, requestId, storage } = call
  return { actor: principal.actor, requestId, now: storage.clock().toISOString() }
}
