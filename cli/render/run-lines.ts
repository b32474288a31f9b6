/** Renders each event of a run as one line or a few, for terminals and log files. */

import type { EventOf, RunEvent, TestResult } from '@svc/server/contract'
import { materializationOf } from '@svc/server/language'
import { driftText } from '../engine/ingest/source-drift.ts'
import { rejectText } from '../engine/run/reject-text.ts'
import { repairWords } from '../engine/run/repairs.ts'
import { entry, entryHead, isNarrow } from './entry.ts'
import { countOf, countsText, formatBytes, formatCount, formatRate, formatSeconds } from './numbers.ts'
import { publishHeadline, publishLines } from './publish-lines.ts'
import { recoveredLines } from './recovered.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'
import { ruleText } from './told-changes.ts'
import { diffLines } from './unit-diff.ts'
import { displayWidth, oneLine, padEnd, truncate, wrap, wrapBehind } from './width.ts'

/** The widths of rows and time; further details follow. */
const detailWidths = [14, 7]
/** Seconds. A shorter load says nothing that the lines around it do not. */
const shownLoad = 0.5
/** The number of changes of a source that are listed. */
const driftShown = 8
const detailIndent = ' '.repeat(6)

const titles = {
  run: 'Run',
  preview: 'Preview',
  promote: 'Promotion',
  rollback: 'Rollback',
  publish: 'Publish',
} as const

/** `Run 01jd8q2x3k  prod  23 assets, 4 to fetch, 3 to build` */
function headline(event: EventOf<'run-started'>, style: Style): string {
  if (event.kind === 'publish') return publishHeadline(event, style)
  const work = countsText({ 'to fetch': event.to_fetch, 'to build': event.to_build })
  const facts = `${countOf(event.assets, 'asset')}${work === '' ? '' : `, ${work}`}`
  return `${style.bold(`${titles[event.kind]} ${event.run_id}`)}  ${event.environment}  ${facts}`
}

/** Returns the permanent lines; undefined if the event is shown in another way, or not at all. */
export function finishedLines(event: RunEvent, style: Style): string[] | undefined {
  switch (event.type) {
    case 'run-started':
      return [...wrap(headline(event, style), style.width), '']
    case 'recovered':
      return recoveredLines(event, style)
    case 'waiting':
      return wrap(`Waiting: ${event.reason}`, style.width).map(style.dim)
    case 'fetch-finished':
      return fetched(event, style)
    case 'load-finished':
      return event.seconds < shownLoad ? undefined : [loaded(event, style)]
    case 'source-drift':
      return drifted(event, style)
    case 'warning':
      return warned(event, style)
    case 'records-rejected':
      return event.refused
        ? undefined
        : [step(style.yellow('!'), event.asset, 'rejected', [rejectText(event)], style)]
    case 'records-replayed':
      return [
        step(
          style.green('✓'),
          event.asset,
          'replayed',
          [
            `${countOf(event.records, 'record')} that ${event.records === 1 ? 'was' : 'were'} rejected before`,
          ],
          style,
        ),
      ]
    case 'asset-reused':
      return event.made_by === undefined ? undefined : [takenOver(event, event.made_by, style)]
    case 'build-finished':
      return materializationOf(event.materialize).isPublished ? [built(event, style)] : undefined
    case 'asset-failed':
      return failed(event, style)
    case 'relation-gone':
      return relationGone(event, style)
    case 'asset-skipped':
      return [step(style.dim('-'), event.asset, 'held back', [`because ${event.because} failed`], style)]
    case 'test-finished':
      return event.result.status === 'fail' ? failedTest(event.result, style) : undefined
    case 'unit-tests-finished':
    case 'tests-finished':
      return testsFinished(event, style)
    case 'promoted':
      return promoted(event, style)
    case 'publish-planned':
    case 'publish-resumed':
    case 'publish-noted':
      return publishLines(event, style)
    default:
      return undefined
  }
}

/** `  ✓ flights   fetched   3,000,000 rows   1.4 s   2.1 M rows/s` */
export function step(
  symbol: string,
  name: string,
  what: string,
  details: readonly string[],
  style: Style,
): string {
  const head = entryHead(symbol, name, what, style)
  const room = Math.max(isNarrow(style) ? 1 : 20, style.width - displayWidth(head))
  const widths = isNarrow(style) ? [] : detailWidths
  const text = details.map((detail, index) => padEnd(detail, widths[index] ?? 0)).join(' ')
  return (head + truncate(oneLine(text.trimEnd()), room)).trimEnd()
}

/** Renders a note in full: a server that asks to wait, or a name that matches nothing. */
export function noteLines(asset: string, note: string, style: Style): string[] {
  return entry('·', asset, 'fetching', [note], style)
}

function fetched(event: EventOf<'fetch-finished'>, style: Style): string[] {
  const rate = event.unchanged ? undefined : formatRate(event.rows, event.seconds)
  const details = [
    // A load that asks for what is new alone counts that, and the table has rows all the same.
    event.unchanged && event.rows === 0 ? 'nothing new' : countOf(event.rows, 'row'),
    formatSeconds(event.seconds),
    ...(rate === undefined ? [] : [rate]),
  ]
  const line = step(style.green('✓'), event.asset, event.unchanged ? 'unchanged' : 'fetched', details, style)
  if (event.told === undefined) return [line]
  return [line, ...wrapBehind(detailIndent, `its rows were not read (${ruleText(event.told)})`, style.width)]
}

function loaded({ asset, rows, seconds }: EventOf<'load-finished'>, style: Style): string {
  const rate = formatRate(rows ?? 0, seconds)
  const amount = rows === null ? '' : countOf(rows, 'row')
  const details = [amount, formatSeconds(seconds), ...(rate === undefined ? [] : [rate])]
  return step(style.green('✓'), asset, 'loaded', details, style)
}

function drifted({ asset, changes, between }: EventOf<'source-drift'>, style: Style): string[] {
  const shown = changes.slice(0, driftShown).map(driftText)
  const rest = changes.length - shown.length
  const where = between === 'pages' ? 'between its pages: ' : ''
  const text = `${where}${shown.join('; ')}${rest > 0 ? `; ${formatCount(rest)} more` : ''}`
  return entry(style.yellow('~'), asset, 'drifted', [text], style)
}

function warned({ asset, message, hint, place }: EventOf<'warning'>, style: Style): string[] {
  const lines = entry(style.yellow('!'), asset ?? 'project', 'warning', [message], style)
  if (hint) lines.push(...wrapBehind(detailIndent, hint, style.width))
  if (place) lines.push(detailIndent + style.dim(place))
  return lines
}

function built(event: EventOf<'build-finished'>, style: Style): string {
  const amount = event.rows === null ? event.materialize : countOf(event.rows, 'row')
  return step(style.green('✓'), event.asset, 'built', [amount, formatSeconds(event.seconds)], style)
}

/** Nothing was done for it, but readers see other rows from now on. */
function takenOver({ asset, rows = null }: EventOf<'asset-reused'>, madeBy: string, style: Style): string {
  const amount = rows === null ? '' : countOf(rows, 'row')
  return step(style.green('✓'), asset, 'taken over', [amount, `built by run ${madeBy}`], style)
}

/** The errors of its file are told by the report of the run, with their lines. */
function failed(event: EventOf<'asset-failed'>, style: Style): string[] {
  if (event.problems)
    return failure(style.red('✗'), event.asset, `${countOf(event.problems, 'error')} in its file`, style)
  const lines = failure(style.red('✗'), event.asset, event.message, style)
  if (event.hint) lines.push(...wrapBehind(detailIndent, event.hint, style.width))
  if (event.place) lines.push(detailIndent + style.dim(event.place))
  return lines
}

function relationGone({ asset, relation, replaced }: EventOf<'relation-gone'>, style: Style): string[] {
  const message = `${repairWords({ relation, replaced: replaced === true })}: this run makes it again`
  return entry(style.yellow('!'), asset, replaced ? 'replaced' : 'gone', [message], style)
}

/** The message says what happened; if there is space, it is beside the name. */
function failure(symbol: string, asset: string, message: string, style: Style): string[] {
  if (isNarrow(style)) return entry(symbol, asset, 'failed', [message], style)
  const head = `  ${symbol} ${padEnd(truncate(oneLine(asset), 40), 24)} `
  return wrapBehind(head, message, Math.max(displayWidth(head) + 30, style.width))
}

/** Renders a failed or warned test with its failing rows. */
export function failedTest(result: TestResult, style: Style): string[] {
  const warned = result.severity === 'warn'
  const symbol = warned ? style.yellow('!') : style.red('✗')
  const isUnit = result.kind === 'unit'
  // The difference is in the table below.
  const told = result.diff === undefined ? result.message : null
  const message = told ?? countOf(result.failures, isUnit ? 'wrong row' : 'failing row')
  const shown = isUnit || result.message === null ? `${result.name}: ${message}` : message
  const what = `${isUnit ? 'unit' : 'test'} ${warned ? 'warns' : 'failed'}`
  return [
    ...entry(symbol, result.asset, what, [shown], style),
    ...sampleTable(result, style),
    ...(result.diff === undefined ? [] : diffLines(result.diff, detailIndent, style)),
    detailIndent + style.dim(result.place),
  ]
}

const sampleRows = 5

function sampleTable(result: TestResult, style: Style): string[] {
  const rows = result.sample.slice(0, sampleRows)
  const names = Object.keys(rows[0] ?? {})
  if (names.length === 0) return []
  const cells = rows.map(row => names.map(name => cellText(row[name])))
  const plain: Style = { ...style, isCut: true, bold: style.dim, width: style.width - detailIndent.length }
  return renderTable(
    names.map(title => ({ title, maxWidth: 24 })),
    cells,
    plain,
  ).map(line => detailIndent + line)
}

/** Returns a value in a table cell: NULL is written out, text is shown on one line. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') return oneLine(value)
  return typeof value === 'object' ? oneLine(JSON.stringify(value)) : String(value)
}

/** Returns nothing if there are no tests, or if the results of all unit tests were reused. */
function testsFinished(
  event: EventOf<'tests-finished'> | EventOf<'unit-tests-finished'>,
  style: Style,
): string[] {
  const { passed, failed, warned, unchanged } = event
  const isUnit = event.type === 'unit-tests-finished'
  const ran = passed + failed + warned
  if (ran === 0 && (isUnit || unchanged === 0)) return []
  const [word, where] = isUnit ? ['unit test', 'in memory'] : ['test', 'on the new tables']
  const facts = [
    ...(failed > 0 ? [`${countOf(failed, word)} failed`] : []),
    ...(warned > 0 ? [`${countOf(warned, word)} warned`] : []),
    ...(passed > 0 ? [`${countOf(passed, word)} passed ${where}`] : []),
    ...(unchanged > 0 ? [`${ran === 0 ? countOf(unchanged, word) : formatCount(unchanged)} unchanged`] : []),
  ]
  const symbol = failed > 0 ? style.red('✗') : warned > 0 ? style.yellow('!') : style.green('✓')
  return flushRight(`${symbol} ${facts.join(', ')}`, formatSeconds(event.seconds), style)
}

function promoted(event: EventOf<'promoted'>, style: Style): string[] {
  const { views, dropped, granted = 0 } = event
  const parts = [
    ...(views > 0 || granted + dropped === 0 ? [`promoted ${countOf(views, 'view')} at once`] : []),
    ...(dropped > 0 ? [`removed ${countOf(dropped, 'view')}`] : []),
    ...(granted > 0 ? [`changed who may read ${countOf(granted, 'view')}`] : []),
  ]
  const text = `${style.green('✓')} ${parts.join(', ')}`
  return flushRight(text, formatSeconds(event.seconds), style)
}

function flushRight(text: string, end: string, style: Style): string[] {
  if (isNarrow(style)) {
    const [first = '', ...rest] = wrap(`${text} ${end}`, style.width - 4)
    return [`  ${first}`, ...rest.map(line => `    ${line}`)]
  }
  return [`${padEnd(`  ${text}`, Math.min(style.width - 10, 66))}  ${end}`]
}

/** Returns the details of a running fetch after rows and time: `3.1 MB  page 4`. */
export function progressDetails(event: EventOf<'fetch-progress'>): string[] {
  return [
    formatBytes(event.bytes),
    ...(event.pages > 1 ? [`page ${formatCount(event.pages)}`] : []),
    ...(event.note ? [event.note] : []),
  ]
}
