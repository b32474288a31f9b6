/**
 * Splits SQL into tokens like DuckDB's lexer. It accepts any text: an unclosed token reaches to the end. It
 * does not interpret words.
 */
import {
  beginsComment,
  blockComment,
  closed,
  endOfLine,
  endOfPunctuation,
  isDigit,
  isWordPart,
  isWordStart,
  quotedBy,
  tag,
} from '../lexing.ts'
import type { SqlToken } from '../sql-token.ts'

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
  if (code === 39) return quotedBy(text, 'string', start, start + 1, false)
  if (code === 34) return quotedBy(text, 'quoted', start, start + 1, false)
  if (code === 123 && next === 123) return tag(text, start)
  if (isDigit(code) || (code === 46 && isDigit(next)))
    return closed('number', start, endOfNumber(text, start))
  if (code === 36) return dollar(text, start)
  if (code === 63) return closed('parameter', start, start + 1)
  if (isWordStart(code)) return wordOrPrefixedString(text, start, code, next)
  if (operatorCharacters.has(code)) return closed('operator', start, endOfOperator(text, start))
  return closed('punctuation', start, endOfPunctuation(start, code, next))
}

function wordOrPrefixedString(text: string, start: number, code: number, next: number): SqlToken {
  const isPrefix = next === 39 && 'eExXbB'.includes(String.fromCharCode(code))
  if (isPrefix) return quotedBy(text, 'string', start, start + 2, code === 69 || code === 101)
  let end = start + 1
  while (end < text.length && isWordPart(text.charCodeAt(end))) end++
  return closed('word', start, end)
}

function dollar(text: string, start: number): SqlToken {
  const mark = /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/.exec(text.slice(start, start + 130))?.[0]
  if (mark !== undefined) {
    const closingAt = text.indexOf(mark, start + mark.length)
    const end = closingAt < 0 ? text.length : closingAt + mark.length
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

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff
}
