/** Renders problems in the user's files: headline, place, source line. */
import { type Diagnostic, maskCredentials, placeAt } from '@svc/server/language'
import { renderFrame } from './frame.ts'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'
import { displayWidth, wrap } from './width.ts'

const indent = 9
const labels = { error: 'error', warning: 'warn', information: 'info', hint: 'hint' } as const

/** Renders all problems of a file, errors and warnings alike, with a blank line before the first. */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  textOf: (path: string) => string | undefined,
  style: Style,
): string[] {
  return [...byPath(diagnostics)].flatMap(([path, list]) => {
    const text = textOf(path)
    // The source line must not show a secret that this or a neighbouring problem is about.
    const shownText = text && maskCredentials(text, list)
    const shown = list
      .slice(0, mostShown)
      .flatMap(diagnostic => renderDiagnostic(diagnostic, shownText, style))
    const hidden = list.length - mostShown
    return hidden > 0 ? [...shown, `  … and ${countOf(hidden, 'more problem')} in ${path}`] : shown
  })
}

/** The limit per file: after fixing the first hundred problems, users run the check again. */
const mostShown = 100

function byPath(diagnostics: readonly Diagnostic[]): Map<string, Diagnostic[]> {
  const groups = new Map<string, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    const list = groups.get(diagnostic.path)
    if (list === undefined) groups.set(diagnostic.path, [diagnostic])
    else list.push(diagnostic)
  }
  return groups
}

function renderDiagnostic(diagnostic: Diagnostic, text: string | undefined, style: Style): string[] {
  const dress = dressOf(diagnostic, style)
  const lines = [
    ...headline(diagnostic, style),
    `${' '.repeat(indent)}${style.dim(placeOf(diagnostic, text))}`,
  ]
  if (text !== undefined && text !== '') {
    lines.push(...renderFrame({ text, range: diagnostic.range, hint: diagnostic.hint, dress }, style))
  } else if (diagnostic.hint !== undefined) {
    lines.push(...wrap(diagnostic.hint, style.width - indent).map(line => ' '.repeat(indent) + line))
  }
  return lines
}

/** Returns `path:line:column`, which terminals turn into a link. */
export function placeOf(diagnostic: Diagnostic, text: string | undefined): string {
  const { path, range } = diagnostic
  return text === undefined ? path : placeAt(path, text, range.start)
}

/** Returns label, message and, aligned right, the code. */
function headline(diagnostic: Diagnostic, style: Style): string[] {
  const label = dressOf(diagnostic, style)(labels[diagnostic.severity].padEnd(indent - 4))
  const room = style.width - indent
  const [first = '', ...rest] = wrap(diagnostic.message, room)
  const free = room - displayWidth(first) - diagnostic.code.length
  const lines = [`  ${label}  ${first}`, ...rest.map(line => ' '.repeat(indent) + line)]
  if (rest.length === 0 && free >= 2) {
    return [`  ${label}  ${first}${' '.repeat(free)}${style.dim(diagnostic.code)}`]
  }
  return [
    ...lines,
    ' '.repeat(Math.max(indent, style.width - diagnostic.code.length)) + style.dim(diagnostic.code),
  ]
}

function dressOf(diagnostic: Diagnostic, style: Style): (text: string) => string {
  if (diagnostic.severity === 'error') return style.red
  return diagnostic.severity === 'warning' ? style.yellow : style.cyan
}
