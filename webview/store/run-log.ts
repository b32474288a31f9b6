/**
 * The state of a watched run: its lines, the status of each asset, its end. Pure: events in, a new value out.
 * Lines beyond the newest 10,000 are dropped.
 */
import { verdictWords } from '@svc/server/verdicts'
import type { RunKind, StreamEvent } from '../protocol.ts'
import { plainText } from './terminal-text.ts'

export type AssetStep = Extract<StreamEvent, { type: 'status' }>

export interface RunLog {
  readonly runId: string
  readonly kind: RunKind
  readonly selector: string
  readonly lines: readonly LogLine[]
  readonly steps: ReadonlyMap<string, AssetStep>
  /** Undefined while it is running. */
  readonly end: Extract<StreamEvent, { type: 'end' }> | undefined
  readonly connection: 'open' | 'lost'
  /** Whether the shown catalogue includes the result of the run. */
  readonly taken: boolean
}

export interface LogLine {
  readonly text: string
  readonly asset: string | null
}

const mostLines = 10_000

export function newRunLog({ runId, kind, selector }: Pick<RunLog, 'runId' | 'kind' | 'selector'>): RunLog {
  return {
    runId,
    kind,
    selector,
    lines: [],
    steps: new Map(),
    end: undefined,
    connection: 'open',
    taken: false,
  }
}

/** Applies several events at once, because a run may write thousands of lines a second. */
export function withEvents(log: RunLog, events: readonly StreamEvent[]): RunLog {
  const told = events.filter(event => event.type === 'log')
  const lines = [...log.lines, ...told.map(({ line, asset }) => ({ text: line, asset }))].slice(-mostLines)
  const changes = events.filter(event => event.type === 'status').map(step => [step.asset, step] as const)
  const steps = changes.length === 0 ? log.steps : new Map([...log.steps, ...changes])
  return { ...log, lines, steps, end: events.find(event => event.type === 'end') ?? log.end }
}

/** Returns the lines of one asset (null: all) that contain the text, ignoring case. */
export function linesWith(log: RunLog, asset: string | null, typed: string): readonly LogLine[] {
  if (asset === null && typed === '') return log.lines
  const looked = typed.toLowerCase()
  return log.lines.filter(
    line =>
      (asset === null || line.asset === asset) &&
      (looked === '' || plainText(line.text).toLowerCase().includes(looked)),
  )
}

export function textOf(lines: readonly LogLine[]): string {
  return lines.map(line => `${plainText(line.text)}\n`).join('')
}

const kinds: Readonly<Record<RunKind, string>> = {
  run: 'Run',
  preview: 'Preview',
  promote: 'Promotion',
  rollback: 'Rollback',
  publish: 'Publish',
}

/** Returns `Run +orders`, `Rollback of everything`. */
export function titleOf({ kind, selector }: Pick<RunLog, 'kind' | 'selector'>): string {
  return `${kinds[kind]} ${kind === 'run' && selector !== 'everything' ? '' : 'of '}${selector}`
}

/** Returns one line for the status bar and for screen readers. */
export function summaryOf(log: RunLog): string {
  const { end } = log
  if (end !== undefined) {
    const code = end.exit_code === null || end.exit_code === 0 ? '' : ` (exit code ${end.exit_code})`
    return `${verdictWords(end.verdict, end.warned)}${code}${end.reason === null ? '' : `: ${end.reason}`}`
  }
  if (log.connection === 'lost') return 'reconnecting; the run goes on'
  const steps = [...log.steps.values()]
  const done = steps.filter(step => step.status !== 'waiting' && step.status !== 'running').length
  return steps.length === 0 ? 'running' : `running, ${done} of ${steps.length} assets done`
}
