/**
 * Turns the output of a child process `svc … --log-format json` into lines for a terminal view and status of
 * assets. It makes no decisions about the run.
 */
import type { AssetMark, EventOf, RunEvent, StreamFact, TestResult } from '@svc/server/contract'
import type { Channel } from '../render/output.ts'
import { plainProgress } from '../render/run-progress.ts'
import { createStyle } from '../render/style.ts'

const columns = 100

export interface EventReader {
  /** Reads one line of the child's stdout. */
  read(line: string): void
  take(event: RunEvent): void
  /** Takes one line of its stderr. */
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

  function say(line: string): void {
    tell({ type: 'log', line, asset: null })
  }

  function take(event: RunEvent): void {
    about = 'asset' in event ? event.asset : null
    markAssets(event, mark)
    if (event.type === 'test-finished') tell(testFact(event.result))
    progress.emit(event)
    if (event.type === 'run-finished') for (const text of ending(event)) channel.lines([text])
  }

  return {
    say,
    take,
    read(line) {
      const event = eventOf(line)
      if (event === undefined) say(line)
      else take(event)
    },
  }
}

function testFact(result: TestResult): StreamFact {
  const { asset, name: test, kind, column, status, severity, seconds, message } = result
  return { type: 'test', asset, test, kind, column, status, severity, seconds, message }
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
      mark(event.asset, 'done', event.rows, event.seconds)
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

function ending({ status, failure }: EventOf<'run-finished'>): readonly string[] {
  if (status === 'deployed') return ['Done.']
  return [`Failed: ${failure?.message ?? 'see above'}`, ...(failure?.place ? [`  at ${failure.place}`] : [])]
}

/** Returns undefined for a line that is not an event. */
export function eventOf(line: string): RunEvent | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
    return value as RunEvent
  } catch {
    return undefined
  }
}
