/**
 * Turns the output of a child process `svc … --log-format json` into lines for a terminal view and status of
 * assets. It makes no decisions about the run.
 */
import type { AssetMark, EventOf, JsonOf, RunEvent, StreamFact, TestResult } from '@svc/server/contract'
import { verdictLook, verdictOf, verdictWords } from '@svc/server/verdicts'
import { parseJson } from '../engine/artifacts/parse-json.ts'
import type { Channel } from '../render/output.ts'
import { plainProgress } from '../render/run-progress.ts'
import { createStyle, type Style } from '../render/style.ts'

/** Lines are as long as they are on a wide terminal: the page scrolls to the side and never breaks them. */
const columns = 160

export interface EventReader {
  /** Reads one line of the child's stdout. */
  read(line: string): void
  take(event: RunEvent): void
  /** Takes one line of its stderr. */
  say(line: string): void
  /** Tells what was held back. Call it when there are no more lines. */
  end(): void
  /** The first failure that the run reported. */
  readonly failure: string | null
  /** How the run said that it ended; undefined if it did not. */
  readonly ended: RunEnd | undefined
}

/** The end of a run, without the exit code, which only the process that started it knows. */
export type RunEnd = Omit<Extract<StreamFact, { type: 'end' }>, 'type' | 'exit_code'>

export function endOf(event: EventOf<'run-finished'>): RunEnd {
  const { status, failure, seconds, warnings: warned = 0 } = event
  const isCancelled = failure?.code === 'interrupted'
  return {
    status: status === 'deployed' ? status : isCancelled ? 'cancelled' : 'Failed',
    verdict: event.verdict ?? olderVerdict(event),
    warned,
    seconds,
    reason: failure?.message ?? null,
  }
}

/** The last event of an older svc has none. */
function olderVerdict({ kind, status, failure, warnings = 0 }: EventOf<'run-finished'>): RunEnd['verdict'] {
  const ending = failure?.code === 'interrupted' ? 'cancelled' : 'finished'
  const isPart = status === 'deployed' && failure !== null
  return verdictOf({ kind, status, ending, isPart, warnings, isIdle: false })
}

/** The error that ends a command, which it also writes to stderr, in lines of 80 columns. */
type ErrorEvent = JsonOf<'error'>['error']

export function createEventReader(tell: (fact: StreamFact) => void): EventReader {
  const style = createStyle({ color: true, width: columns })
  const marks = new Map<string, AssetMark>()
  let failure: string | null = null
  let ended: RunEnd | undefined
  let held: string[] = []
  let hasError = false
  let about: string | null = null
  const channel = channelTo(style, line => tell({ type: 'log', line, asset: about }))
  const progress = plainProgress(channel, { debug: false })

  function mark(asset: string, status: AssetMark, rows: number | null, seconds: number | null): void {
    if (marks.get(asset) === status) return
    marks.set(asset, status)
    tell({ type: 'status', asset, status, rows, seconds })
  }

  function say(line: string): void {
    const isError = /^error: /.test(line) || (held.length > 0 && /^ {3}/.test(line))
    if (isError) held.push(line)
    else tell({ type: 'log', line, asset: null })
  }

  /** The same error as text is left out. */
  function takeError({ code, message, hint, place }: ErrorEvent): void {
    hasError = true
    failure ??= message
    const said = [`${style.red('error:')} ${message}  ${style.dim(`[${code}]`)}`, place, hint]
    for (const line of said) if (line !== null) tell({ type: 'log', line, asset: null })
  }

  function end(): void {
    for (const line of hasError ? [] : held) tell({ type: 'log', line, asset: null })
    if (!hasError) failure ??= held[0]?.replace(/^error: /, '') ?? null
    held = []
  }

  function take(event: RunEvent): void {
    about = 'asset' in event ? event.asset : null
    markAssets(event, mark)
    if (event.type === 'test-finished') tell(testFact(event.result))
    progress.emit(event)
    if (event.type !== 'run-finished') return
    failure = event.failure?.message ?? failure
    ended = endOf(event)
    channel.lines(endLines(event, ended, style))
  }

  return {
    get failure() {
      return failure
    },
    get ended() {
      return ended
    },
    say,
    take,
    end,
    read(line) {
      const event = eventOf(line)
      if (event === undefined) say(line)
      else if (isError(event)) takeError(event)
      else take(event)
    },
  }
}

/** Returns a terminal of lines, none of which is redrawn. */
function channelTo(style: Style, tell: (line: string) => void): Channel {
  return {
    style,
    isTerminal: false,
    width: () => columns,
    columns: () => columns,
    rows: () => 24,
    lines: lines => {
      for (const line of lines) tell(line)
    },
    raw: () => {},
  }
}

function testFact(result: TestResult): StreamFact {
  const { asset, name: test, kind, column, status, severity, seconds, scan, message } = result
  const time = { seconds, ...(scan !== undefined && { scan }) }
  return { type: 'test', asset, test, kind, column, status, severity, ...time, message }
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

/** Returns the verdict, and all that failed. */
function endLines(event: EventOf<'run-finished'>, { verdict, warned }: RunEnd, style: Style): string[] {
  const { failure, more_causes: more = 0 } = event
  const causes = event.causes ?? (failure === null ? [] : [failure])
  const words = verdictWords(verdict, warned)
  const { role } = verdictLook(verdict, warned)
  const dressed = { pass: style.green, warn: style.yellow, fail: style.red, quiet: style.dim }[role](words)
  return [
    causes.length === 0 ? `${dressed}.` : `${dressed}:`,
    ...causes.flatMap(({ asset, message, place }) => [
      `  ${asset === null ? '' : `${asset}: `}${message}`,
      ...(place === null ? [] : [`    at ${place}`]),
    ]),
    ...(more === 0 ? [] : [`  and ${more} more`]),
  ]
}

function isError(event: object): event is ErrorEvent {
  return 'type' in event && event.type === 'error'
}

/** Returns undefined for a line that is not an event. */
export function eventOf(line: string): RunEvent | undefined {
  const value = parseJson(line)
  return typeof value === 'object' && value !== null && 'type' in value ? (value as RunEvent) : undefined
}
