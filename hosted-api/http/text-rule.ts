/**
 * Accepts text that both engines store unchanged: well-formed UTF-16 without control characters except tab
 * and line breaks (PostgreSQL refuses U+0000, both silently change unpaired surrogates).
 */
import type { FieldProblem } from './problems.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

function isPlainText(text: string): boolean {
  return !control.test(text) && !/[\ud800-\udfff]/u.test(text)
}

/**
 * Returns a problem for every string of a JSON value, including member names, that is not plain text.
 * @param most how many are returned
 */
export function textProblems(value: unknown, most: number): readonly FieldProblem[] {
  const problems: FieldProblem[] = []
  collect(value, [], problem => problems.push(problem) < most)
  return problems
}

/**
 * Returns false when no more problems are wanted.
 * @param path changes during the walk; its pointer is made for problems only
 */
function collect(value: unknown, path: string[], found: (problem: FieldProblem) => boolean): boolean {
  if (typeof value === 'string') return isPlainText(value) || found(textProblem(pointerOf(path)))
  if (typeof value !== 'object' || value === null) return true
  for (const name of Object.keys(value)) {
    path.push(name)
    const goesOn = collectMember((value as Record<string, unknown>)[name], name, path, found)
    path.pop()
    if (!goesOn) return false
  }
  return true
}

function collectMember(
  value: unknown,
  name: string,
  path: string[],
  found: (problem: FieldProblem) => boolean,
): boolean {
  if (name === '__proto__') {
    // JavaScript would take it for the prototype of the object, and lose it without a word.
    const pointer = pointerOf(path)
    return found({ pointer, code: 'unknown_member', detail: `${pointer} has a name that is not supported.` })
  }
  return isPlainText(name) ? collect(value, path, found) : found(textProblem(pointerOf(path)))
}

function pointerOf(path: readonly string[]): string {
  return path.map(name => `/${pointerToken(name)}`).join('')
}

/** Escapes a name as RFC 6901 says. */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function textProblem(pointer: string): FieldProblem {
  return {
    pointer,
    code: 'bad_text',
    detail: `${pointer === '' ? 'The value' : pointer} has a control character or half of a character.`,
  }
}
