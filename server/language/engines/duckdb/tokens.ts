/**
 * Splits SQL into tokens like DuckDB's lexer. It accepts any text: an unclosed token reaches to the end. It
 * does not interpret words.
 */
import type { SqlToken, SqlTokenKind } from '../sql-token.ts'

/** Returns all tokens in order, with comments and without white space. */
export function duckdbTokens(text: string): SqlToken[] {
  const tokens: SqlToken[] = []
  let position = 0
  while (position < text.length) {
    const code = text.charCodeAt(position)
    if (isSpace(code)) {
      position++
      continue
    }
    const token = tokenAt(text, position, code)
    tokens.push(token)
    position = token.end
  }
  return tokens
}

function tokenAt(text: string, start: number, code: number): SqlToken {
  const next = text.charCodeAt(start + 1)
  if (code === 45 && next === 45) return closed('comment', start, endOfLine(text, start))
  if (code === 47 && next === 42) return blockComment(text, start)
  if (code === 39) return quotedBy(text, 'string', start, start + 1, 39, false)
  if (code === 34) return quotedBy(text, 'quoted', start, start + 1, 34, false)
  if (code === 123 && next === 123) return until(text, 'tag', start, '}}')
  if (isDigit(code) || (code === 46 && isDigit(next)))
    return closed('number', start, endOfNumber(text, start))
  if (code === 36) return dollar(text, start)
  if (code === 63) return closed('parameter', start, start + 1)
  if (isWordStart(code)) return wordOrPrefixedString(text, start, code, next)
  if (operatorCharacters.has(code)) return closed('operator', start, endOfOperator(text, start))
  return closed('punctuation', start, endOfPunctuation(text, start, code, next))
}

function closed(kind: SqlTokenKind, start: number, end: number): SqlToken {
  return { kind, start, end, closed: true }
}

function until(text: string, kind: SqlTokenKind, start: number, mark: string): SqlToken {
  const markAt = text.indexOf(mark, start + 2)
  return { kind, start, end: markAt < 0 ? text.length : markAt + mark.length, closed: markAt >= 0 }
}

function endOfLine(text: string, from: number): number {
  let end = from
  while (end < text.length && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end++
  return end
}

/** Reads a block comment, which may be nested. */
function blockComment(text: string, start: number): SqlToken {
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
 * Reads a quoted token. A doubled quote stands for one; where escapes apply (E''), a backslash escapes the
 * next character.
 */
function quotedBy(
  text: string,
  kind: SqlTokenKind,
  start: number,
  from: number,
  quote: number,
  escapes: boolean,
): SqlToken {
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

function wordOrPrefixedString(text: string, start: number, code: number, next: number): SqlToken {
  const isPrefix = next === 39 && 'eExXbB'.includes(String.fromCharCode(code))
  if (isPrefix) return quotedBy(text, 'string', start, start + 2, 39, code === 69 || code === 101)
  let end = start + 1
  while (end < text.length && isWordPart(text.charCodeAt(end))) end++
  return closed('word', start, end)
}

function dollar(text: string, start: number): SqlToken {
  const tag = /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/.exec(text.slice(start, start + 130))?.[0]
  if (tag !== undefined) {
    const closingAt = text.indexOf(tag, start + tag.length)
    const end = closingAt < 0 ? text.length : closingAt + tag.length
    return { kind: 'string', start, end, closed: closingAt >= 0 }
  }
  let end = start + 1
  while (end < text.length && isWordPart(text.charCodeAt(end)) && text.charCodeAt(end) !== 36) end++
  return closed(end === start + 1 ? 'operator' : 'parameter', start, end)
}

const numberPattern = /0[xX][\da-fA-F_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d[\d_]*)?/y

function endOfNumber(text: string, start: number): number {
  numberPattern.lastIndex = start
  return numberPattern.test(text) ? numberPattern.lastIndex : start + 1
}

const operatorCharacters = new Set([...'~!@#^&|`+-*/%<>='].map(character => character.charCodeAt(0)))
const signKeepers = /[~!@#^&|`%]/

/**
 * Returns the end of the longest run of operator characters, cut where a comment starts. A trailing sign
 * belongs to the operand (`a<-1` is `a < -1`), unless the run can be a user-defined operator; PostgreSQL has
 * the same rule.
 */
function endOfOperator(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && operatorCharacters.has(text.charCodeAt(end)) && !beginsComment(text, end)) end++
  const isLambda = text.startsWith('->', start)
  while (end > start + 1 && !isLambda && '+-'.includes(text.charAt(end - 1))) {
    if (signKeepers.test(text.slice(start, end))) break
    end--
  }
  return end
}

function beginsComment(text: string, position: number): boolean {
  return text.startsWith('--', position) || text.startsWith('/*', position)
}

function endOfPunctuation(text: string, start: number, code: number, next: number): number {
  if (code === 58 && (next === 58 || next === 61)) return start + 2
  if (code === 46 && next === 46) return start + 2
  // A complete surrogate pair is one character.
  return code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000 && start + 1 < text.length
    ? start + 2
    : start + 1
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 0x80
}

function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code) || code === 36
}
