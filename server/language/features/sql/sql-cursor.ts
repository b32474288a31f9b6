/**
 * Finds the tokens before and around an offset of SQL: the word being typed, the call that it is an argument
 * of.
 */
import type { Engine } from '../../engines/engine.ts'
import type { SqlToken } from '../../engines/sql-token.ts'
import type { Range } from '../../text/range.ts'

export interface SqlCursor {
  readonly text: string
  readonly offset: number
  /** The engine of the project. */
  readonly engine: Engine
  /** The tokens without comments. */
  readonly tokens: readonly SqlToken[]
  /** The token that contains the offset or ends there; undefined in white space. */
  readonly at: SqlToken | undefined
  /** The word or quoted name being typed; empty if there is none. */
  readonly word: Range
  /** The number of tokens before the word. */
  readonly count: number
}

/** Makes the cursor. `written` has the tokens of the text. */
export function sqlCursor(
  text: string,
  offset: number,
  written: readonly SqlToken[],
  engine: Engine,
): SqlCursor {
  const tag = openTagAround(text, offset, written)
  const all = tag === undefined ? written : withTag(written, tag)
  const at = all.find(token => token.start < offset && isInside(text, token, offset))
  const isMeant = (token: SqlToken): boolean => token === at || !isHollow(text, token)
  const tokens = all.filter(token => token.kind !== 'comment' && isMeant(token))
  const isName = at?.kind === 'word' || at?.kind === 'quoted'
  const word = isName ? { start: at.start, end: at.end } : { start: offset, end: offset }
  const count = tokens.filter(token => token.end <= word.start).length
  return { text, offset, engine, tokens, at, word, count }
}

/**
 * Returns whether the offset is in the token. The end of a word or number counts, the end of a quoted token
 * does not.
 */
function isInside(text: string, token: SqlToken, offset: number): boolean {
  if (token.kind === 'comment' && text.startsWith('--', token.start)) return offset <= token.end
  const isOpen = token.kind === 'word' || token.kind === 'number' || !token.closed
  return isOpen ? offset <= token.end : offset < token.end
}

/**
 * Returns the unfinished tag around the offset: it ends with its braces or with its line, whatever quotes it
 * has.
 */
function openTagAround(text: string, offset: number, written: readonly SqlToken[]): SqlToken | undefined {
  const start = text.lastIndexOf('{{', offset - 2)
  if (start < 0 || /\}\}|[\r\n]/.test(text.slice(start, offset))) return undefined
  const around = written.find(token => token.start <= start && offset <= token.end)
  if (around?.kind === 'comment' || (around?.kind === 'string' && around.closed)) return undefined
  const rest = text.slice(start + 2)
  const end = rest.search(/\}\}|\{\{|[\r\n]/)
  const closed = end >= 0 && rest.startsWith('}}', end)
  return {
    kind: 'tag',
    start,
    end: end < 0 ? text.length : start + 2 + end + (closed ? 2 : 0),
    closed: closed || (around?.kind === 'tag' && text.startsWith('}}', around.end - 2)),
  }
}

function withTag(tokens: readonly SqlToken[], tag: SqlToken): readonly SqlToken[] {
  const before = tokens.filter(({ end }) => end <= tag.start)
  return [...before, tag, ...tokens.filter(({ start }) => start >= tag.end)]
}

/** Returns whether the token is an unclosed quote or tag without content, which means nothing yet. */
function isHollow(text: string, token: SqlToken): boolean {
  if (token.kind !== 'quoted' && token.kind !== 'tag') return false
  return (
    /^["{\s]*$/.test(text.slice(token.start, token.end)) && !/^""$/.test(text.slice(token.start, token.end))
  )
}

/** Returns the token that is `back` places before the word; 1 is the nearest. */
export function tokenBefore(cursor: SqlCursor, back = 1): SqlToken | undefined {
  return cursor.tokens[cursor.count - back]
}

export function textOf(cursor: SqlCursor, token: SqlToken | undefined): string {
  return token === undefined ? '' : cursor.text.slice(token.start, token.end)
}

export function wordBefore(cursor: SqlCursor, back = 1): string {
  return wordOf(cursor, tokenBefore(cursor, back))
}

/** Returns the word in lower case; '' if the token is no word. */
function wordOf(cursor: SqlCursor, token: SqlToken | undefined): string {
  return token?.kind === 'word' ? textOf(cursor, token).toLowerCase() : ''
}

export interface OpenBracket {
  readonly mark: '(' | '['
  readonly start: number
  /** The index of the bracket among the tokens. */
  readonly index: number
  /** The word directly before it, in lower case; '' if there is none. */
  readonly callee: string
  /** The number of commas between it and the cursor. */
  readonly argument: number
  /** The words at the bracket's own depth before the cursor, in lower case. */
  readonly words: readonly string[]
}

/** Returns the innermost bracket that is open at the cursor. */
export function openBracket(cursor: SqlCursor, before = cursor.count): OpenBracket | undefined {
  let depth = 0
  let argument = 0
  const words: string[] = []
  for (let index = before - 1; index >= 0; index--) {
    const token = cursor.tokens[index]
    const text = textOf(cursor, token)
    if (token?.kind === 'word' && depth === 0) words.unshift(text.toLowerCase())
    if (token?.kind !== 'punctuation') continue
    if (text === ')' || text === ']') depth++
    else if (text === ',' && depth === 0) argument++
    else if (text === '(' || text === '[') {
      if (depth > 0) depth--
      else {
        const callee = wordOf(cursor, cursor.tokens[index - 1])
        return { mark: text, start: token.start, index, callee, argument, words }
      }
    }
  }
  return undefined
}

/** Returns whether a CASE is open at the cursor within the innermost bracket. */
export function isInCase(cursor: SqlCursor): boolean {
  let open = 0
  const from = openBracket(cursor)?.index ?? -1
  for (let index = from + 1; index < cursor.count; index++) {
    const word = wordOf(cursor, cursor.tokens[index])
    if (word === 'case') open++
    else if (word === 'end') open = Math.max(0, open - 1)
  }
  return open > 0
}

/** Returns the names before the dot at the cursor, nearest first: `a.b.` gives b, a. */
export function qualifiersBefore(cursor: SqlCursor): readonly string[] {
  const names: string[] = []
  for (let back = 1; textOf(cursor, tokenBefore(cursor, back)) === '.'; back += 2) {
    const name = identifier(cursor, tokenBefore(cursor, back + 1))
    const isKeyword = cursor.engine.words.reserved.has(wordBefore(cursor, back + 1))
    if (name === undefined || isKeyword) break
    names.push(name)
  }
  return names
}

export function identifier(cursor: SqlCursor, token: SqlToken | undefined): string | undefined {
  const text = textOf(cursor, token)
  if (token?.kind === 'word') return text
  return token?.kind === 'quoted'
    ? text.slice(1, token.closed ? -1 : undefined).replaceAll('""', '"')
    : undefined
}
