/**
 * Follows one run at `svc ui` as a stream of events: every event once and in order, however often the
 * connection is lost.
 */
import type { RunKind, StreamEvent } from '../protocol.ts'
import { openEvents, type ServerEvent } from './event-reader.ts'
import type { RunStream } from './host.ts'
import { ask } from './http.ts'

/** As many as the server keeps. */
const mostKept = 10_000

export interface RunStreamOptions {
  readonly runId: string
  readonly kind: RunKind
  readonly selector: string
  /** The request that starts the run; without it, an existing run is followed. It is sent once. */
  readonly start?: string
}

/** Rejects with a `HostError` if the server refuses. */
export async function openRunStream({ runId, kind, selector, start }: RunStreamOptions): Promise<RunStream> {
  const listeners = new Set<(event: StreamEvent) => void>()
  const watchers = new Set<(state: 'open' | 'lost') => void>()
  let kept: StreamEvent[] = []
  let connection: 'open' | 'lost' = 'open'
  let isAsked = false

  function tell(event: StreamEvent): void {
    kept.push(event)
    if (kept.length > mostKept * 1.1) kept = kept.slice(-mostKept)
    for (const listener of listeners) listener(event)
    if (event.type === 'end') stop()
  }

  const stop = await openEvents({
    open: async (lastId, signal) => {
      // Only the first request may start a run: a server that was restarted meanwhile must not start it
      // again.
      const path = isAsked ? undefined : start
      isAsked = true
      const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
      return ask(path ?? `api/stream/run?run=${encodeURIComponent(runId)}`, { signal, headers })
    },
    onEvent: event => {
      const known = streamEventOf(event)
      if (known !== undefined) tell(known)
    },
    onState(state) {
      const now = state === 'open' ? 'open' : 'lost'
      if (now === connection) return
      connection = now
      for (const watcher of watchers) watcher(now)
    },
    onEnd: () => {
      for (const event of lostEnd(runId)) tell(event)
    },
  })

  return {
    runId,
    kind,
    selector,
    onEvent(listener) {
      for (const event of kept) listener(event)
      listeners.add(listener)
    },
    onConnection: listener => void watchers.add(listener),
    close() {
      stop()
      listeners.clear()
      watchers.clear()
    },
  }
}

const types = ['log', 'status', 'test', 'end']

function streamEventOf({ id, type, data }: ServerEvent): StreamEvent | undefined {
  if (id === undefined || !types.includes(type) || typeof data !== 'object' || data === null) return undefined
  return { ...data, id, type } as StreamEvent
}

/** The server was restarted meanwhile, and its end has cancelled the run. */
function lostEnd(runId: string): StreamEvent[] {
  return [
    {
      id: `${runId}:lost`,
      type: 'log',
      line: 'svc ui no longer has the lines of this run; the list of runs says how it ended.',
      asset: null,
    },
    {
      id: `${runId}:end`,
      type: 'end',
      status: 'cancelled',
      verdict: 'Stopped',
      warned: 0,
      exit_code: null,
      seconds: null,
      reason: 'svc ui was stopped meanwhile',
    },
  ]
}
