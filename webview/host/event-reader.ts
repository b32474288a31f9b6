/**
 * Reads server-sent events with `fetch`, which, unlike `EventSource`, sees why the server refuses, and can
 * resume after the last event after an error. A hidden page holds no connection, because browsers allow six
 * per address.
 */
import { createParser } from 'eventsource-parser'
import { type ConnectionState, HostError } from './host.ts'
import { hiding, isHidden, shown } from './visibility.ts'

export interface ServerEvent {
  readonly id: string | undefined
  readonly type: string
  readonly data: unknown
}

export interface EventsOptions {
  /**
   * Requests the events after `lastId`. Rejects with a `HostError`. No content means that there are no more.
   */
  open(lastId: string | undefined, signal: AbortSignal): Promise<Response>
  onEvent(event: ServerEvent): void
  /** After `expired` there are no further requests. */
  onState(state: ConnectionState): void
  /** Called when the server has sent the last event. */
  onEnd(): void
}

const pausesMs = [300, 1_000, 2_000, 5_000]
/** After this many failed tries the server counts as gone. */
const patience = 3
/** The server sends something every 15 seconds; a longer silence means that the connection is dead. */
const silenceMs = 45_000

/**
 * Rejects with a `HostError` if the first connection is refused; later ones are retried. Returns a function
 * that stops it.
 */
export async function openEvents(options: EventsOptions): Promise<() => void> {
  const ending = new AbortController()
  const first = await options.open(undefined, connectionSignal(ending.signal))
  void goOn(options, first, ending.signal)
  return () => ending.abort()
}

/** Like `openEvents`, but retries the first connection too, and goes on as long as the page. */
export function keepEvents(options: EventsOptions): void {
  void goOn(options, undefined, new AbortController().signal)
}

async function goOn(options: EventsOptions, first: Response | undefined, ended: AbortSignal): Promise<void> {
  let lastId: string | undefined
  let failures = 0
  const take = (event: ServerEvent) => {
    lastId = event.id ?? lastId
    if (!ended.aborted) options.onEvent(event)
  }
  let answer = first ?? (await tryOpen(options, lastId, ended))
  while (!ended.aborted) {
    if (answer === 'expired') return options.onState('expired')
    if (answer === 'gone') return options.onEnd()
    if (answer === 'failed') failures++
    else {
      failures = 0
      options.onState('open')
      if (answer.status === 204 || answer.body === null) return options.onEnd()
      await readBody(answer.body, take).catch(() => undefined)
    }
    if (ended.aborted) return
    if (isHidden()) await shown()
    else {
      options.onState(failures < patience ? 'lost' : 'stopped')
      const pauseMs = pausesMs[Math.min(failures, pausesMs.length - 1)]
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
    if (!ended.aborted) answer = await tryOpen(options, lastId, ended)
  }
}

async function tryOpen(
  { open }: EventsOptions,
  lastId: string | undefined,
  ended: AbortSignal,
): Promise<Response | 'expired' | 'gone' | 'failed'> {
  try {
    return await open(lastId, connectionSignal(ended))
  } catch (error) {
    const problem = error instanceof HostError ? error.problem : 'failed'
    if (problem === 'unknown-run') return 'gone'
    return problem === 'expired' ? 'expired' : 'failed'
  }
}

function connectionSignal(ended: AbortSignal): AbortSignal {
  return AbortSignal.any([ended, hiding()])
}

/** Reads to the end of the connection. */
async function readBody(body: ReadableStream<Uint8Array>, take: (event: ServerEvent) => void): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let silence: ReturnType<typeof setTimeout> | undefined
  const parser = createEventParser(take)
  try {
    for (;;) {
      silence = setTimeout(() => void reader.cancel(), silenceMs)
      const { done, value } = await reader.read()
      clearTimeout(silence)
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
    }
  } finally {
    clearTimeout(silence)
  }
}

/** Ignores heartbeats and unknown events. Exported for its test. */
export function createEventParser(take: (event: ServerEvent) => void): { feed(text: string): void } {
  return createParser({
    onEvent({ id, event: type, data }) {
      const value = jsonOf(data)
      if (type !== undefined && value !== undefined) take({ id, type, data: value })
    },
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
