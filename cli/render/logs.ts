/** Renders the log of a run for people: time, event and its facts; SQL below its line. */
import type { JsonOf, RunEnding } from '@svc/server/contract'
import { isAhead, isRecord } from '@svc/server/language'
import { verdictLook, verdictWords } from '@svc/server/verdicts'
import { parseJson } from '../engine/artifacts/parse-json.ts'
import { type LogSummary, logVerdict } from '../engine/log/log-summary.ts'
import { isDebugEvent } from '../engine/run/debug-events.ts'
import { isNarrow } from './entry.ts'
import { formatAge, formatBytes, formatSeconds } from './numbers.ts'
import type { Style } from './style.ts'
import { renderTable, type TableColumn } from './table.ts'
import { padEnd, wrap, wrapBehind } from './width.ts'

interface LogEntry extends Readonly<Record<string, unknown>> {
  readonly at: string
  readonly type: string
}

/** A kept log, and how its run ended. */
export interface KeptLog extends LogSummary {
  readonly ending: RunEnding
}

export function renderLogList(logs: readonly KeptLog[], now: Date, style: Style): string[] {
  if (logs.length === 0) return ['No logs yet: every run, preview, promotion and rollback keeps one.']
  const columns: readonly TableColumn[] = [
    { title: 'Run' },
    { title: 'Kind' },
    { title: 'Environment' },
    { title: 'Assets' },
    { title: 'Status' },
    { title: 'Ended' },
    { title: 'Took', align: 'right' },
    { title: 'Size', align: 'right' },
  ]
  const rows = logs.map(log => rowOf(log, now, style))
  return [...renderTable(columns, rows, style), ...aheadLines(logs, now, style)]
}

/** The times of such a run say nothing, and runs after it have smaller ones. */
function aheadLines(logs: readonly KeptLog[], now: Date, style: Style): string[] {
  const ahead = logs.filter(log => isInFuture(log, now))
  if (ahead.length === 0) return []
  const which = ahead.map(({ runId, startedAt = '' }) => `${runId} (${startedAt})`).join(', ')
  const text = `Begun later than it is now: ${which}. The clock of that machine was ahead; runs are listed in the order in which they began.`
  return ['', ...wrapBehind(`${style.yellow('!')} `, text, style.width)]
}

function isInFuture({ startedAt }: KeptLog, now: Date): boolean {
  return startedAt !== undefined && isAhead(now.getTime() - Date.parse(startedAt))
}

function rowOf(log: KeptLog, now: Date, style: Style): string[] {
  const { runId, kind, environment, selector, ending, changedAt, bytes } = log
  const seconds = secondsOf(log)
  return [
    runId,
    kind ?? '-',
    environment ?? '-',
    selector ?? 'all',
    verdictCell(log, style),
    ending === 'running' ? '-' : formatAge((now.getTime() - changedAt.getTime()) / 1000),
    seconds === undefined ? '-' : formatSeconds(seconds),
    formatBytes(bytes),
  ]
}

function verdictCell(log: KeptLog, style: Style): string {
  const verdict = logVerdict(log, log.ending)
  const words = verdictWords(verdict, log.warned)
  const { role } = verdictLook(verdict, log.warned)
  return role === 'fail' ? style.red(words) : role === 'warn' ? style.yellow(words) : words
}

/** Returns how long the run took; one that was killed took until its last sign of life. */
function secondsOf({ seconds, ending, startedAt, lastAt }: KeptLog): number | undefined {
  if (seconds !== undefined || ending !== 'killed') return seconds
  if (startedAt === undefined || lastAt === undefined) return undefined
  return Math.max(0, (Date.parse(lastAt) - Date.parse(startedAt)) / 1000)
}

export function logListJson(logs: readonly KeptLog[], now: Date): JsonOf<'logs'> {
  return {
    logs: logs.map(log => ({
      run_id: log.runId,
      kind: log.kind ?? null,
      environment: log.environment ?? null,
      selector: log.selector ?? null,
      status: log.ending === 'killed' && !log.promoted ? 'Failed' : log.status,
      ending: log.ending,
      verdict: logVerdict(log, log.ending),
      warned: log.warned,
      causes: [...log.causes],
      more_causes: log.moreCauses,
      promoted: log.promoted,
      started_at: log.startedAt ?? null,
      finished_at: (log.ending === 'killed' ? log.lastAt : log.finishedAt) ?? null,
      seconds: secondsOf(log) ?? null,
      failure: log.failure ?? null,
      bytes: log.bytes,
      changed_at: log.changedAt.toISOString(),
      in_future: isInFuture(log, now),
    })),
  }
}

export function renderLog(text: string, debug: boolean, style: Style): string[] {
  return entriesOf(text, debug).flatMap(entry => entryLines(entry, style))
}

export function logTextJson(runId: string, text: string, debug: boolean): JsonOf<'logs'> {
  return { run_id: runId, events: entriesOf(text, debug) }
}

/** The last line of a run that was killed may be incomplete. */
function entriesOf(text: string, debug: boolean): LogEntry[] {
  return text
    .split('\n')
    .map(parseJson)
    .filter(isEntry)
    .filter(entry => debug || !isDebugEvent(entry))
}

function isEntry(value: unknown): value is LogEntry {
  return isRecord(value) && typeof value['at'] === 'string' && typeof value['type'] === 'string'
}

const typeWidth = 16
/** The width of time, type and the spaces between them. */
const headWidth = 12 + 2 + typeWidth + 2

function entryLines({ at, run_id: _, type, ...facts }: LogEntry, style: Style): string[] {
  const { sql, result, ...rest } = facts
  const shown = { ...rest, ...(isRecord(result) ? testFacts(result) : {}) }
  const words = Object.entries(shown).flatMap(([name, value]) => factText(name, value))
  const indent = ' '.repeat(isNarrow(style) ? 4 : headWidth)
  const room = style.width - indent.length
  const failed = type === 'asset-failed' || facts['failed'] === true || shown['status'] === 'fail'
  const head = `${style.dim(at.slice(11, 23))}  ${padEnd(type, typeWidth)}`
  const wrapped = wrap(words.join('  '), room)
  const [first = '', ...more] = isNarrow(style) ? ['', ...wrapped] : wrapped
  const line = `${failed ? style.red(head) : head}  ${first}`.trimEnd()
  const below = typeof sql === 'string' ? sql.split('\n').map(each => style.dim(`    ${each}`)) : []
  return [line, ...more.map(each => indent + each), ...below]
}

/** The rows of a failed test are left out; readers of a log need to know that it failed, not its data. */
function testFacts({ asset, name, status, message, seconds, place }: Readonly<Record<string, unknown>>) {
  return { asset, name, status, ...(message === null ? {} : { message }), seconds, place }
}

function factText(name: string, value: unknown): string[] {
  if (value === null || value === undefined || value === false) return []
  if (value === true) return [name]
  if (name === 'asset') return [String(value)]
  if (name === 'seconds' && typeof value === 'number') return [formatSeconds(value)]
  if (name === 'bytes' && typeof value === 'number') return value === 0 ? [] : [formatBytes(value)]
  return [`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`]
}
