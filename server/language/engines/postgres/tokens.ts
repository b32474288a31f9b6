/**
 * Splits SQL into tokens like PostgreSQL's lexer, with template tags. It accepts any text: an unclosed token
 * reaches to the end. It does not interpret words.
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
export function postgresTokens(text: string): SqlToken[] {
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
  if (isWordStart(code)) return wordOrPrefixed(text, start, next)
  if (operatorCharacters.has(code)) return closed('operator', start, endOfOperator(text, start))
  return closed('punctuation', start, endOfPunctuation(start, code, next))
}

/** Reads a word, or what E, B, X, N and U& make of the quote behind them. */
function wordOrPrefixed(text: string, start: number, next: number): SqlToken {
  const letter = text.charAt(start).toLowerCase()
  if (next === 39 && 'ebxn'.includes(letter))
    return quotedBy(text, 'string', start, start + 2, letter === 'e')
  if (letter === 'u' && next === 38) {
    const quote = text.charCodeAt(start + 2)
    if (quote === 39) return quotedBy(text, 'string', start, start + 3, false)
    if (quote === 34) return quotedBy(text, 'quoted', start, start + 3, false)
  }
  let end = start + 1
  while (end < text.length && isWordPart(text.charCodeAt(end))) end++
  return closed('word', start, end)
}

const dollarQuote = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y

function dollar(text: string, start: number): SqlToken {
  dollarQuote.lastIndex = start
  const mark = dollarQuote.exec(text)?.[0]
  if (mark !== undefined) {
    const closingAt = text.indexOf(mark, start + mark.length)
    const end = closingAt < 0 ? text.length : closingAt + mark.length
    return { kind: 'string', start, end, closed: closingAt >= 0 }
  }
  let end = start + 1
  while (end < text.length && isDigit(text.charCodeAt(end))) end++
  return closed(end === start + 1 ? 'punctuation' : 'parameter', start, end)
}

const numberPattern =
  /0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d[\d_]*)?/y

function endOfNumber(text: string, start: number): number {
  numberPattern.lastIndex = start
  return numberPattern.test(text) ? numberPattern.lastIndex : start + 1
}

const operatorCharacters = new Set([...'~!@#^&|`?+-*/%<>='].map(character => character.charCodeAt(0)))
const signKeepers = /[~!@#^&|`?%]/

/**
 * Returns the end of the longest run of operator characters, cut where a comment starts. A sign at its end
 * belongs to the operand (`a<-1` is `a < -1`), unless the run holds a character that keeps it.
 */
function endOfOperator(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && operatorCharacters.has(text.charCodeAt(end)) && !beginsComment(text, end)) end++
  while (end > start + 1 && '+-'.includes(text.charAt(end - 1)) && !signKeepers.test(text.slice(start, end)))
    end--
  return end
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}
