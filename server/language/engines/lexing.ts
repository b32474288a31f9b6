/**
 * Splits SQL into tokens like the lexers of engines, with template tags. It accepts any text: an unclosed token reaches to
 * the end. It does not interpret words.
 */
import type { SqlToken, SqlTokenKind } from './sql-token.ts'

/** What differs between the lexers of engines. */
export interface LexerRules {
  /** White space beside that of ASCII. */
  readonly otherSpaces: string
  /** Letters in lower case that may stand before the quote of a string. */
  readonly stringPrefixes: string
  /** Whether `U&` may stand before the quote of a string or a name. */
  readonly hasUnicodeQuotes: boolean
  /** Sticky. */
  readonly number: RegExp
  /** What follows the dollar of a parameter. Sticky. */
  readonly parameterName: RegExp
  /** What a dollar is that begins neither a string nor a parameter. */
  readonly loneDollar: SqlTokenKind
  /** Without `?` among them it is a parameter. */
  readonly operatorCharacters: string
  /** Matches the operators that keep a sign at their end: elsewhere it belongs to the operand (`a<-1` is `a < -1`). */
  readonly keepsSign: RegExp
}

/** Returns a lexer, which returns all tokens in order, with comments and without white space. */
export function lexer(rules: LexerRules): (text: string) => SqlToken[] {
  const operators = codesOf(rules.operatorCharacters)
  const spaces = codesOf(rules.otherSpaces)
  const tokenAt = (text: string, start: number, code: number): SqlToken => {
    const next = text.charCodeAt(start + 1)
    if (code === 45 && next === 45) return closed('comment', start, endOfLine(text, start))
    if (code === 47 && next === 42) return blockComment(text, start)
    if (code === 39) return quotedBy(text, 'string', start, start + 1, false)
    if (code === 34) return quotedBy(text, 'quoted', start, start + 1, false)
    if (code === 123 && next === 123) return tag(text, start)
    if (isDigit(code) || (code === 46 && isDigit(next)))
      return closed('number', start, endOfMatch(rules.number, text, start) ?? start + 1)
    if (code === 36) return dollar(text, start, rules)
    if (isWordStart(code)) return wordOrPrefixed(text, start, next, rules)
    if (operators.has(code)) return closed('operator', start, endOfOperator(text, start, operators, rules))
    if (code === 63) return closed('parameter', start, start + 1)
    return closed('punctuation', start, endOfPunctuation(start, code, next))
  }
  return text => {
    const tokens: SqlToken[] = []
    let position = 0
    while (position < text.length) {
      const code = text.charCodeAt(position)
      if (code === 32 || (code >= 9 && code <= 13) || spaces.has(code)) {
        position++
        continue
      }
      const token = tokenAt(text, position, code)
      tokens.push(token)
      position = token.end
    }
    return tokens
  }
}

function codesOf(characters: string): ReadonlySet<number> {
  return new Set([...characters].map(character => character.charCodeAt(0)))
}

function endOfMatch(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Reads a word, or what a prefix makes of the quote behind it. */
function wordOrPrefixed(text: string, start: number, next: number, rules: LexerRules): SqlToken {
  if (next === 39) {
    const letter = text.charAt(start).toLowerCase()
    if (rules.stringPrefixes.includes(letter))
      return quotedBy(text, 'string', start, start + 2, letter === 'e')
  }
  if (next === 38 && rules.hasUnicodeQuotes && /^u&['"]/i.test(text.slice(start, start + 3)))
    return quotedBy(text, text[start + 2] === '"' ? 'quoted' : 'string', start, start + 3, false)
  let end = start + 1
  while (end < text.length && isWordPart(text.charCodeAt(end))) end++
  return closed('word', start, end)
}

const dollarQuote = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y

function dollar(text: string, start: number, { parameterName, loneDollar }: LexerRules): SqlToken {
  const opened = endOfMatch(dollarQuote, text, start)
  if (opened !== undefined) {
    const closingAt = text.indexOf(text.slice(start, opened), opened)
    const end = closingAt < 0 ? text.length : closingAt + opened - start
    return { kind: 'string', start, end, closed: closingAt >= 0 }
  }
  const end = endOfMatch(parameterName, text, start + 1)
  return end === undefined ? closed(loneDollar, start, start + 1) : closed('parameter', start, end)
}

/** Returns the end of the longest run of operator characters, cut where a comment starts, without a sign of the operand. */
function endOfOperator(
  text: string,
  start: number,
  operators: ReadonlySet<number>,
  { keepsSign }: LexerRules,
): number {
  let end = start + 1
  while (end < text.length && operators.has(text.charCodeAt(end)) && !beginsComment(text, end)) end++
  while (end > start + 1 && '+-'.includes(text.charAt(end - 1)) && !keepsSign.test(text.slice(start, end)))
    end--
  return end
}

function closed(kind: SqlTokenKind, start: number, end: number): SqlToken {
  return { kind, start, end, closed: true }
}

/** Reads a template tag. */
function tag(text: string, start: number): SqlToken {
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
function quotedBy(text: string, kind: SqlTokenKind, start: number, from: number, escapes: boolean): SqlToken {
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

function beginsComment(text: string, position: number): boolean {
  return text.startsWith('--', position) || text.startsWith('/*', position)
}

function endOfPunctuation(start: number, code: number, next: number): number {
  if (code === 58 && (next === 58 || next === 61)) return start + 2
  if (code === 46 && next === 46) return start + 2
  // A complete surrogate pair is one character.
  const isPair = code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000
  return isPair ? start + 2 : start + 1
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
