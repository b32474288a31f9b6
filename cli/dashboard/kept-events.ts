/** The last events of one run, kept so that a page which lost its connection can continue. */
import type { StreamFact } from '@svc/server/contract'

export interface KeptEvent {
  readonly sequence: number
  readonly fact: StreamFact
}

const mostEvents = 10_000

export function createKeptEvents(most: number = mostEvents) {
  const listeners = new Set<(event: KeptEvent) => void>()
  let kept: KeptEvent[] = []
  let next = 0
  let ended = false
  return {
    tell(fact: StreamFact) {
      const event = { sequence: next++, fact }
      kept.push(event)
      // The list is trimmed rarely, so that an event of a long run costs no more than one of a short run.
      if (kept.length > most * 1.1) kept = kept.slice(-most)
      for (const listener of listeners) listener(event)
    },
    /**
     * Calls the listener with stored events from that sequence on, then with new ones. Returns a function that
     * stops it.
     */
    follow(from: number, listener: (event: KeptEvent) => void) {
      for (const event of kept) if (event.sequence >= from) listener(event)
      if (!ended) listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** The sequence number of the next event. */
    get next() {
      return next
    },
    /** Marks that there are no more events. */
    end() {
      ended = true
      listeners.clear()
    },
  }
}
