/** Renders PASS or FAIL for each file, its problems, and a count at the end. */
import type { JsonOf } from '@svc/server/contract'
import { type Diagnostic, lineIndex } from '@svc/server/language'
import { placeOf, renderDiagnostics } from './diagnostics.ts'
import { countOf, countsText, formatSeconds, roundSeconds } from './numbers.ts'
import type { Style } from './style.ts'
import { padEnd } from './width.ts'

export interface CheckedFile {
  readonly path: string
  readonly diagnostics: readonly Diagnostic[]
}

export interface ValidationReport {
  readonly files: readonly CheckedFile[]
  readonly seconds: number
}

type TextOf = (path: string) => string | undefined

export function renderValidation(
  report: ValidationReport,
  textOf: TextOf,
  quiet: boolean,
  style: Style,
): string[] {
  const files = report.files.flatMap(file => renderFile(file, textOf, quiet, style))
  const gap = files.length === 0 || files.at(-1) === '' ? [] : ['']
  return [...files, ...gap, ...summary(report, style)]
}

const lineSeverities = { error: 'error', warning: 'warning', information: 'info', hint: 'info' } as const

/**
 * Renders problems in the format of compilers, which editors and CI services can parse; nothing if there are
 * none.
 */
export function validationLines(report: ValidationReport, textOf: TextOf): string[] {
  return report.files
    .flatMap(file => file.diagnostics)
    .map(diagnostic => {
      const { message, hint, code } = diagnostic
      const severity = lineSeverities[diagnostic.severity]
      const said = (hint === undefined ? message : `${message}; ${hint}`).replace(/\s+/g, ' ')
      return `${placeOf(diagnostic, textOf(diagnostic.path))}: ${severity}: ${said} [${code}]`
    })
}

function renderFile(file: CheckedFile, textOf: TextOf, quiet: boolean, style: Style): string[] {
  const failed = hasError(file)
  if (quiet && !failed) return []
  const head = failed ? `${style.red('FAIL')}  ${file.path}` : `${style.green('PASS')}  ${file.path}`
  if (file.diagnostics.length === 0) return [head]
  return [head, '', ...renderDiagnostics(file.diagnostics, textOf, style), '']
}

export function hasError(file: CheckedFile): boolean {
  return file.diagnostics.some(diagnostic => diagnostic.severity === 'error')
}

/** `22 passed, 1 failed: 2 errors, 1 warning    0.31 s` */
function summary(report: ValidationReport, style: Style): string[] {
  const time = formatSeconds(report.seconds)
  if (report.files.length === 0) return [`No .svc files yet. Make one with: svc create asset <name>`]
  const failed = report.files.filter(hasError).length
  const counts = countsText({ passed: report.files.length - failed, failed })
  const problems = problemCounts(report)
  const text = problems === '' ? counts : `${counts}: ${problems}`
  const dressed = failed > 0 ? style.red(padEnd(text, style.width - 10)) : `${style.green(text)}`
  return [`${dressed}  ${time}`]
}

/** Names the command that explains the most serious problem. */
export function renderExplainHint(report: ValidationReport, style: Style): string[] {
  const all = report.files.flatMap(file => file.diagnostics)
  const [first] = [...all.filter(({ severity }) => severity === 'error'), ...all]
  return first === undefined ? [] : [style.dim(`What a code means: svc explain ${first.code}`)]
}

function problemCounts(report: ValidationReport): string {
  const all = report.files.flatMap(file => file.diagnostics)
  const of = (severity: Diagnostic['severity']) => all.filter(each => each.severity === severity).length
  return [
    ...(of('error') > 0 ? [countOf(of('error'), 'error')] : []),
    ...(of('warning') > 0 ? [countOf(of('warning'), 'warning')] : []),
    ...(of('information') + of('hint') > 0 ? [countOf(of('information') + of('hint'), 'hint')] : []),
  ].join(', ')
}

export function validationJson(report: ValidationReport, textOf: TextOf): JsonOf<'validate'> {
  const failed = report.files.filter(hasError).length
  return {
    files: report.files.map(file => ({
      path: file.path,
      status: hasError(file) ? 'FAIL' : 'PASS',
      diagnostics: file.diagnostics.map(diagnostic => diagnosticJson(diagnostic, textOf)),
    })),
    summary: { passed: report.files.length - failed, failed },
    seconds: roundSeconds(report.seconds),
  }
}

/** Lines and columns are 1-based, columns in UTF-16 units; the end is exclusive. */
export function diagnosticJson(
  diagnostic: Diagnostic,
  textOf: TextOf,
): JsonOf<'fmt'>['files'][number]['diagnostics'][number] {
  const rangeIn = (path: string, { start, end }: Diagnostic['range']) => {
    const lines = lineIndex(textOf(path) ?? '')
    return { start: lines.position(start), end: lines.position(end) }
  }
  return {
    code: diagnostic.code,
    severity: diagnostic.severity,
    message: diagnostic.message,
    hint: diagnostic.hint ?? null,
    path: diagnostic.path,
    ...rangeIn(diagnostic.path, diagnostic.range),
    suggestions: diagnostic.suggestions ?? [],
    fixes: (diagnostic.fixes ?? []).map(({ title, edits }) => ({
      title,
      edits: edits.map(({ path, range, newText }) => ({ path, ...rangeIn(path, range), new_text: newText })),
    })),
  }
}
