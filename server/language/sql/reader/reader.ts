/** The state of the reader: the tokens of a text, the next one, and the problems found so far. */
import type { SqlGrammar } from '../grammar.ts'
import type { Span, SyntaxProblem } from '../tree.ts'

export type TokenKind = 'word' | 'quoted' | 'string' | 'number' | 'parameter' | 'symbol' | 'tag' | 'end'

export interface Token extends Span {
  readonly kind: TokenKind
  /** A keyword in lower case or a symbol; '' for everything else. */
  readonly word: string
  /** The bits of what the word cannot be. */
  readonly bits: number
}

export interface Reader {
  readonly text: string
  readonly grammar: SqlGrammar
  /** The tokens without comments; the last one is the end. A misspelt keyword is corrected in place. */
  readonly tokens: Token[]
  readonly last: Token
  at: number
  token: Token
  /** The end of the previous token. */
  end: number
  /** The number of open levels of brackets and operators. */
  depth: number
  /** Whether the query being read is the statement itself, outside of all brackets. */
  isTop: boolean
  /** Whether a sample was read that has other rows each time. */
  hasChance: boolean
  readonly problems: SyntaxProblem[]
}

export function createReader(
  text: string,
  grammar: SqlGrammar,
  tokens: Token[],
  problems: SyntaxProblem[],
): Reader {
  const last: Token = { kind: 'end', start: text.length, end: text.length, word: '', bits: 0 }
  return {
    text,
    grammar,
    tokens,
    last,
    at: 0,
    token: tokens[0] ?? last,
    end: 0,
    depth: 0,
    isTop: true,
    hasChance: false,
    problems,
  }
}

/** Moves to the next token and returns the one that was passed. */
export function advance(reader: Reader): Token {
  const { token } = reader
  if (token.kind === 'end') return token
  reader.end = token.end
  reader.at++
  reader.token = reader.tokens[reader.at] ?? reader.last
  return token
}

export function peek(reader: Reader, by = 1): Token {
  return reader.tokens[reader.at + by] ?? reader.last
}

/** Returns the previous token; undefined at the start. */
export function previous(reader: Reader): Token | undefined {
  return reader.tokens[reader.at - 1]
}

/** Returns whether the word or symbol comes next. */
export function is(reader: Reader, word: string): boolean {
  return reader.token.word === word
}

/** Reads the word or symbol if it comes next. */
export function take(reader: Reader, word: string): boolean {
  if (reader.token.word !== word) return false
  advance(reader)
  return true
}

/** Reads both words if they come next. */
export function takeBoth(reader: Reader, first: string, second: string): boolean {
  if (reader.token.word !== first || peek(reader).word !== second) return false
  advance(reader)
  advance(reader)
  return true
}

export function textOf(reader: Reader, span: Span): string {
  return reader.text.slice(span.start, span.end)
}

/** Returns the span from an offset to the end of the previous token. */
export function spanFrom(reader: Reader, start: number): Span {
  return { start, end: Math.max(start, reader.end) }
}

/** Returns whether the statement ends here. */
export function isAtEnd(reader: Reader): boolean {
  return reader.token.kind === 'end' || reader.token.word === ';'
}
