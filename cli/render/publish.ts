/** Renders what a publish sent, or would send: counts, samples, and the rows that were not taken. */

import type { JsonOf } from '@svc/server/contract'
import { svcIn } from '@svc/server/language'
import { verdictLook, verdictWords } from '@svc/server/verdicts'
import { publishVerdict } from '../engine/publish/publish-verdict.ts'
import type { PublishReport } from '../engine/publish/report.ts'
import type { PublishCounts } from '../engine/state/state.ts'
import { countOf, countsText, formatCount, formatSeconds, roundSeconds } from './numbers.ts'
import { stoppedText } from './publish-lines.ts'
import type { Style } from './style.ts'
import { oneLine, truncate, wrap, wrapBehind } from './width.ts'

/** How many untaken rows are listed. */
const mostRejects = 5

export function renderPublish(report: PublishReport, style: Style): string[] {
  const isPlan = report.status === 'planned'
  return [
    ...(isPlan ? headline(report, style) : []),
    ...(isPlan ? stoppedLines(report, style) : []),
    ...(isPlan ? warningLines(report, style) : []),
    ...(isPlan ? countLines(report.planned, style) : []),
    ...(isPlan ? sampleLines(report, style) : []),
    ...rejectLines(report, style),
    ...endLines(report, style),
  ]
}

/** What a publish goes on from it says at its start. */
function stoppedLines({ resumed }: PublishReport, style: Style): string[] {
  if (resumed === undefined) return []
  const { runId: stopped_run_id, acknowledged, inDoubt: in_doubt } = resumed
  return [...wrap(stoppedText({ stopped_run_id, acknowledged, in_doubt }), style.width), '']
}

/** What is sent has told its warnings while it was. */
function warningLines({ warnings }: PublishReport, style: Style): string[] {
  return warnings.flatMap(({ message }) => wrapBehind(`${style.yellow('!')} `, message, style.width))
}

/** `customers to crm (http), mode upsert` */
function headline(
  { asset, target, type, place, mode, creates, known }: PublishReport,
  style: Style,
): string[] {
  const facts = [
    place,
    `mode ${mode}`,
    creates ? 'not there yet: it would be made' : `${countOf(known, 'row')} acknowledged so far`,
  ]
  return [
    `${style.bold(`${asset} to ${target}`)} (${type}); nothing is sent`,
    ...facts.flatMap(fact => wrap(fact, style.width - 2).map(line => `  ${style.dim(line)}`)),
    '',
  ]
}

const words = [
  ['inserts', 'insert'],
  ['updates', 'update'],
  ['deletes', 'delete'],
  ['unchanged', 'unchanged'],
  ['invalid', 'not sent: NULL or double key'],
  ['refused', 'refused'],
] as const

function countLines(counts: PublishCounts, style: Style): string[] {
  const shown = words.filter(([name]) => counts[name] > 0 || name === 'inserts')
  const width = Math.max(...shown.map(([name]) => formatCount(counts[name]).length))
  return shown.map(([name, word]) => {
    const isBad = name === 'invalid' || name === 'refused'
    const line = `  ${formatCount(counts[name]).padStart(width)}  ${word}`
    return isBad ? style.yellow(line) : line
  })
}

function sampleLines({ samples, masked }: PublishReport, style: Style): string[] {
  if (samples.length === 0) return []
  const lines = samples.map(({ operation, row }) => {
    const values = Object.entries(row).map(([name, value]) => `${name}=${textOf(value)}`)
    return `  ${operation.padEnd(6)}  ${truncate(oneLine(values.join('  ')), Math.max(20, style.width - 10))}`
  })
  const hidden = masked.length === 0 ? [] : wrap(`Masked: ${masked.join(', ')}.`, style.width).map(style.dim)
  return ['', ...lines, ...hidden]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function rejectLines({ rejects, done, planned, status }: PublishReport, style: Style): string[] {
  const counts = status === 'planned' ? planned : done
  const total = counts.invalid + counts.refused
  if (total === 0) return []
  const shown = rejects.slice(0, mostRejects)
  const lines = shown.flatMap(({ row_key, reason }) =>
    wrapBehind(`  ${style.yellow('✗')} `, `${oneLine(row_key)}  ${oneLine(reason)}`, style.width),
  )
  const rest = total - shown.length
  return ['', ...lines, ...(rest > 0 ? [`    and ${formatCount(rest)} more`] : [])]
}

function endLines(report: PublishReport, style: Style): string[] {
  const { asset, target, status, done, seconds, environment } = report
  const svc = svcIn(environment)
  if (status === 'planned') return ['', `Send it: ${svc(`publish ${asset} --to ${target}`)}`]
  const { inserts, updates, deletes, refused, invalid } = done
  const sent = countsText({ inserted: inserts, updated: updates, deleted: deletes })
  const lost = refused + invalid
  const warned = report.warnings.length
  const verdict = publishVerdict({ status, counts: done, warnings: report.warnings })
  const words = verdictWords(verdict, warned)
  const dress = verdictLook(verdict, warned).role === 'pass' ? style.green : style.yellow
  const known = `${countOf(done.unchanged, 'row')} ${done.unchanged === 1 ? 'is' : 'are'} acknowledged`
  const about = `${asset} to ${target}`
  const what =
    sent === ''
      ? `${dress(words)}: ${about}, ${lost === 0 ? '' : 'nothing new was taken, '}${known}.`
      : `${dress(words)}${words === 'Published' ? '' : ':'} ${about}: ${sent} in ${formatSeconds(seconds)}.`
  const untaken =
    lost === 0
      ? []
      : wrap(
          `${countOf(lost, 'row')} ${lost === 1 ? 'was' : 'were'} not taken and will be tried again: ${svc(`rejects ${asset} --to ${target}`)}`,
          style.width,
        )
  return [...(lost > 0 ? [''] : []), ...wrap(what, style.width), ...untaken]
}

export function publishJson(report: PublishReport): JsonOf<'publish'> {
  const { runId, environment, asset, target, type, place, mode, status, planned, done, known } = report
  return {
    run_id: status === 'planned' ? null : runId,
    ...{ environment, asset, target, type, place, mode, status, planned, done, known },
    creates: report.creates,
    samples: report.samples.map(({ operation, row }) => ({ operation, row })),
    masked: [...report.masked],
    rejects: report.rejects.map(({ operation, row_key, reason, raw }) => ({
      operation,
      key: row_key,
      reason,
      raw,
    })),
    warnings: [...report.warnings],
    resumed:
      report.resumed === undefined
        ? null
        : {
            run_id: report.resumed.runId,
            acknowledged: report.resumed.acknowledged,
            in_doubt: report.resumed.inDoubt,
          },
    seconds: roundSeconds(report.seconds),
  }
}
