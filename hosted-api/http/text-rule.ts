/**
 * Accepts text that both engines store unchanged: well-formed UTF-16 without control characters except tab
 * and line breaks (PostgreSQL refuses U+0000, both silently change unpaired surrogates).
 */
import type { FieldProblem } from './problems.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

export function isPlainText(text: string): boolean {
  return !control.test(text) && !/[\ud800-\udfff]/u.test(text)
}

/** Returns a problem for every string of a JSON value, including member names, that is not plain text. */
export function textProblems(value: unknown, pointer = ''): readonly FieldProblem[] {
  if (typeof value === 'string') return isPlainText(value) ? [] : [textProblem(pointer)]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => textProblems(item, `${pointer}/${index}`))
  return Object.entries(value).flatMap(([name, member]) => {
    const place = `${pointer}/${pointerToken(name)}`
    return isPlainText(name) ? textProblems(member, place) : [textProblem(place)]
  })
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
