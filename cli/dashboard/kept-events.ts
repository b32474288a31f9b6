/** The last events of one run, kept so that a page which lost its connection goes on where it was. */
import type { StreamFact } from '@svc/server/contract'

export interface KeptEvent {
  readonly sequence: number
  readonly fact: StreamFact
}

export interface KeptEvents {
  tell(fact: StreamFact): void
  /** Events from that sequence on, as far as they are kept, then those to come. Returns how to stop. */
  follow(from: number, listener: (event: KeptEvent) => void): () => void
  /** The sequence after the last event. */
  readonly next: number
  /** Nothing more is told. */
  end(): void
}

const mostEvents = 10_000

export function createKeptEvents(most: number = mostEvents): KeptEvents {
  const listeners = new Set<(event: KeptEvent) => void>()
  let kept: KeptEvent[] = []
  let next = 0
  let ended = false
  return {
    tell(fact) {
      const event = { sequence: next++, fact }
      kept.push(event)
      // Cut seldom, so that a long run costs no more an event than a short one.
      if (kept.length > most * 1.1) kept = kept.slice(-most)
      for (const listener of listeners) listener(event)
    },
    follow(from, listener) {
      for (const event of kept) if (event.sequence >= from) listener(event)
      if (!ended) listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get next() {
      return next
    },
    end() {
      ended = true
      listeners.clear()
    },
  }
}
