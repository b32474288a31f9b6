/** What the lexers of the engines have in common: comments, quotes, tags and the characters of words. */
import type { SqlToken, SqlTokenKind } from './sql-token.ts'

export function closed(kind: SqlTokenKind, start: number, end: number): SqlToken {
  return { kind, start, end, closed: true }
}

/** Reads a template tag. */
export function tag(text: string, start: number): SqlToken {
  const end = endOfTag(text, start)
  return { kind: 'tag', start, end: end ?? text.length, closed: end !== undefined }
}

/** Tags whose argument is a name in quotes: nothing is nested in them. */
const plainTag = /\{\{\s*(?:source|ref|this|var|window\.\w+)\b/y
const callTag = /\{\{\s*[A-Za-z_]\w*\s*\(/y
const nesting = /[{}()[\]'"]/g

/**
 * Returns the offset after a tag; undefined if it is not closed. The arguments of a macro are SQL: strings, structs and tags
 * in them may hold `}}`.
 */
export function endOfTag(text: string, start: number): number | undefined {
  plainTag.lastIndex = start
  callTag.lastIndex = start
  const nested = !plainTag.test(text) && callTag.test(text) ? endOfCall(text, start + 2) : undefined
  if (nested !== undefined) return nested
  const markAt = text.indexOf('}}', start + 2)
  return markAt < 0 ? undefined : markAt + 2
}

/** Returns undefined where the brackets do not match, as in a call that is being written. */
function endOfCall(text: string, from: number): number | undefined {
  const open: string[] = []
  nesting.lastIndex = from
  for (let found = nesting.exec(text); found !== null; found = nesting.exec(text)) {
    const mark = found[0]
    if (mark === "'" || mark === '"') {
      const { end, closed } = quotedBy(text, 'string', found.index, found.index + 1, false)
      if (!closed || text.slice(found.index, end).includes('\n')) return undefined
      nesting.lastIndex = end
    } else if (mark === '{' || mark === '(' || mark === '[') open.push(mark)
    else if (mark === '}' && open.length === 0)
      return text[found.index + 1] === '}' ? found.index + 2 : undefined
    else if (open.pop() !== opening[mark]) return undefined
  }
  return undefined
}

const opening: Readonly<Record<string, string>> = { '}': '{', ')': '(', ']': '[' }

export function endOfLine(text: string, from: number): number {
  let end = from
  while (end < text.length && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end++
  return end
}

/** Reads a block comment, which may be nested. */
export function blockComment(text: string, start: number): SqlToken {
  let depth = 1
  let position = start + 2
  while (position < text.length && depth > 0) {
    if (text.startsWith('*/', position)) {
      depth--
      position += 2
    } else if (text.startsWith('/*', position)) {
      depth++
      position += 2
    } else position++
  }
  return { kind: 'comment', start, end: Math.min(position, text.length), closed: depth === 0 }
}

/**
 * Reads to the quote before `from` again. A doubled one stands for one; in E'…' a backslash escapes the next
 * character.
 */
export function quotedBy(
  text: string,
  kind: SqlTokenKind,
  start: number,
  from: number,
  escapes: boolean,
): SqlToken {
  const quote = text.charCodeAt(from - 1)
  let position = from
  while (position < text.length) {
    const code = text.charCodeAt(position)
    if (code === quote) {
      if (text.charCodeAt(position + 1) !== quote) return closed(kind, start, position + 1)
      position += 2
    } else position += escapes && code === 92 ? 2 : 1
  }
  return { kind, start, end: text.length, closed: false }
}

export function beginsComment(text: string, position: number): boolean {
  return text.startsWith('--', position) || text.startsWith('/*', position)
}

export function endOfPunctuation(start: number, code: number, next: number): number {
  if (code === 58 && (next === 58 || next === 61)) return start + 2
  if (code === 46 && next === 46) return start + 2
  // A complete surrogate pair is one character.
  const isPair = code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000
  return isPair ? start + 2 : start + 1
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 0x80
}

export function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code) || code === 36
}
