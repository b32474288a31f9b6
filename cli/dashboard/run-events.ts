/**
 * What a child process of `svc … --log-format json` says, as lines for a terminal view and as marks of assets. Reads
 * text, never decides about the run.
 */
import type { TestResult } from '../engine/quality/test-result.ts'
import type { RunEvent } from '../engine/run/events.ts'
import type { Channel } from '../render/output.ts'
import { plainProgress } from '../render/run-progress.ts'
import { createStyle } from '../render/style.ts'

/** As in `webview/protocol.ts`, without the ids, which a stream gives. */
export type StreamFact =
  | { readonly type: 'log'; readonly line: string; readonly asset: string | null }
  | {
      readonly type: 'status'
      readonly asset: string
      readonly status: AssetMark
      readonly rows: number | null
      readonly seconds: number | null
    }
  | {
      readonly type: 'test'
      readonly asset: string
      readonly test: string
      readonly kind: string
      readonly column: string | null
      readonly status: 'pass' | 'fail'
      readonly severity: 'error' | 'warn'
      readonly seconds: number
      readonly message: string | null
    }
  | {
      readonly type: 'end'
      readonly status: 'deployed' | 'Failed' | 'cancelled'
      readonly exit_code: number
      readonly seconds: number
    }

export type AssetMark = 'waiting' | 'running' | 'done' | 'reused' | 'failed' | 'skipped'

const columns = 100

export interface EventReader {
  /** One line of the child's stdout. */
  read(line: string): void
  /** One line of its stderr. */
  say(line: string): void
}

export function createEventReader(tell: (fact: StreamFact) => void): EventReader {
  const style = createStyle({ color: true, width: columns })
  const marks = new Map<string, AssetMark>()
  let about: string | null = null
  const channel: Channel = {
    style,
    isTerminal: false,
    width: () => columns,
    columns: () => columns,
    rows: () => 24,
    lines: lines => {
      for (const line of lines) tell({ type: 'log', line, asset: about })
    },
    raw: () => {},
  }
  const progress = plainProgress(channel, { debug: false })

  function mark(asset: string, status: AssetMark, rows: number | null, seconds: number | null): void {
    if (marks.get(asset) === status) return
    marks.set(asset, status)
    tell({ type: 'status', asset, status, rows, seconds })
  }

  return {
    say: line => tell({ type: 'log', line, asset: null }),
    read(line) {
      const event = eventOf(line)
      if (event === undefined) {
        tell({ type: 'log', line, asset: null })
        return
      }
      about = 'asset' in event && typeof event.asset === 'string' ? event.asset : null
      markAssets(event, mark)
      if (event.type === 'test-finished') tell(testFact(event.result))
      progress.emit(event)
      if (event.type === 'run-finished') for (const text of ending(event)) channel.lines([text])
    },
  }
}

/** What is null in an event is not there in what was read of it. */
function testFact({ asset, name, kind, status, severity, seconds, ...rest }: TestResult): StreamFact {
  const { column = null, message = null } = rest
  return { type: 'test', asset, test: name, kind, column, status, severity, seconds, message }
}

type Mark = (asset: string, status: AssetMark, rows: number | null, seconds: number | null) => void

function markAssets(event: RunEvent, mark: Mark): void {
  switch (event.type) {
    case 'pending':
      for (const { asset } of event.assets) mark(asset, 'waiting', null, null)
      return
    case 'fetch-started':
    case 'build-started':
      mark(event.asset, 'running', null, null)
      return
    case 'build-finished':
      mark(event.asset, 'done', event.rows ?? null, event.seconds)
      return
    case 'asset-reused':
      mark(event.asset, 'reused', null, null)
      return
    case 'asset-failed':
      mark(event.asset, 'failed', null, event.seconds)
      return
    case 'asset-skipped':
      mark(event.asset, 'skipped', null, null)
      return
    case 'test-finished':
      if (event.result.status === 'fail' && event.result.severity === 'error')
        mark(event.result.asset, 'failed', null, null)
      return
    default:
      return
  }
}

function ending({ status, failure }: Extract<RunEvent, { type: 'run-finished' }>): readonly string[] {
  if (status === 'deployed') return ['Done.']
  return [`Failed: ${failure?.message ?? 'see above'}`, ...(failure?.place ? [`  at ${failure.place}`] : [])]
}

/** Undefined: a line that is no event. */
function eventOf(line: string): RunEvent | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
    return camelKeys(value) as unknown as RunEvent
  } catch {
    return undefined
  }
}

/** Back from how events leave the program; what is null there was nothing here, but for what may be null. */
const nullable = new Set(['selector', 'failure', 'asset', 'place'])

function camelKeys(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => inner !== null || nullable.has(key))
      .map(([key, inner]) => [
        key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? camelKeys(inner) : inner,
      ]),
  )
}
