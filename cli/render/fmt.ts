/**
 * Renders the result of `svc fmt`: files that changed or would change, files that could not be formatted, and
 * a count.
 */
import type { JsonOf } from '@svc/server/contract'
import { redact } from '@svc/server/language'
import type { FormattedFile } from '../engine/format/format-files.ts'
import { diffText } from './definition-diff.ts'
import { renderDiagnostics } from './diagnostics.ts'
import { lineDiff } from './line-diff.ts'
import { countOf, formatSeconds } from './numbers.ts'
import type { Style } from './style.ts'
import { diagnosticJson } from './validation.ts'

export interface FmtReport {
  readonly files: readonly FormattedFile[]
  /** Whether only the check was requested, so that nothing was written. */
  readonly isCheck: boolean
  readonly showsDiff: boolean
  readonly seconds: number
}

const contextLines = 2

export function renderFmt(report: FmtReport, style: Style): string[] {
  const files = report.files.flatMap(file => renderFile(file, report, style))
  return [...files, ...(files.length > 0 && files.at(-1) !== '' ? [''] : []), summary(report, style)]
}

function renderFile(file: FormattedFile, report: FmtReport, style: Style): string[] {
  const problems = renderDiagnostics(file.problems, () => file.before, style)
  const below = problems.length === 0 ? [] : ['', ...problems, '']
  if (file.status === 'broken') return [`${style.red('not YAML')}      ${file.path}`, ...below]
  if (file.status === 'unchanged')
    return file.problems.length === 0 ? [] : [`unchanged     ${file.path}`, ...below]
  const word = report.isCheck ? style.yellow('would format') : style.green('formatted   ')
  return [`${word}  ${file.path}`, ...(report.showsDiff ? diff(file, style) : []), ...below]
}

function diff({ before, after }: FormattedFile, style: Style): string[] {
  const lines = (text: string) =>
    redact(text, [])
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
  const changed = lineDiff(lines(before), lines(after), contextLines)
  if (changed.length === 0) return ['', '    only the ends of lines', '']
  const dress = { same: style.dim, removed: style.red, added: style.green, gap: style.dim }
  return ['', ...changed.map(line => `    ${dress[line.kind](diffText(line))}`), '']
}

/** `2 files formatted, 21 unchanged, 1 not YAML    0.31 s` */
function summary({ files, isCheck, seconds }: FmtReport, style: Style): string {
  if (files.length === 0) return 'No files to format.'
  const of = (status: FormattedFile['status']) => files.filter(file => file.status === status).length
  const [formatted, unchanged, broken] = [of('formatted'), of('unchanged'), of('broken')]
  const parts = [
    ...(formatted > 0 ? [`${countOf(formatted, 'file')} ${isCheck ? 'to format' : 'formatted'}`] : []),
    ...(unchanged > 0
      ? [formatted > 0 ? `${unchanged} unchanged` : `${countOf(unchanged, 'file')} unchanged`]
      : []),
    ...(broken > 0 ? [`${broken} not touched`] : []),
  ]
  const isGood = broken === 0 && (formatted === 0 || !isCheck)
  const dress = isGood ? style.green : style.red
  return `${dress(parts.join(', '))}  ${formatSeconds(seconds)}`
}

export function fmtJson({ files, seconds }: FmtReport): JsonOf<'fmt'> {
  const of = (status: FormattedFile['status']) => files.filter(file => file.status === status).length
  return {
    files: files.map(file => ({
      path: file.path,
      status: file.status,
      diagnostics: file.problems.map(problem => diagnosticJson(problem, () => file.before)),
    })),
    summary: { formatted: of('formatted'), unchanged: of('unchanged'), broken: of('broken') },
    seconds: Math.round(seconds * 1000) / 1000,
  }
}
