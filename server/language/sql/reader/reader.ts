/** Where the reader stands in a text: its tokens, the one to be read next, and what was found wrong so far. */
import type { SqlGrammar } from '../grammar.ts'
import type { Span, SyntaxProblem } from '../tree.ts'

export type TokenKind = 'word' | 'quoted' | 'string' | 'number' | 'parameter' | 'symbol' | 'tag' | 'end'

export interface Token extends Span {
  readonly kind: TokenKind
  /** A word of the grammar in lower case or a symbol; '' of everything else. */
  readonly word: string
  /** What the word cannot be. */
  readonly bits: number
}

export interface Reader {
  readonly text: string
  readonly grammar: SqlGrammar
  /** Without comments; the last one is the end. A misspelt keyword is put right in place. */
  readonly tokens: Token[]
  readonly last: Token
  at: number
  token: Token
  /** Where the token before ends. */
  end: number
  /** How many levels of brackets and operators are open. */
  depth: number
  /** The query being read is the statement itself: no bracket is open around it. */
  isTop: boolean
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
    problems,
  }
}

/** Goes on to the next token and gives the one that was passed. */
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

/** The token before; undefined at the beginning. */
export function previous(reader: Reader): Token | undefined {
  return reader.tokens[reader.at - 1]
}

/** The word or symbol comes next. */
export function is(reader: Reader, word: string): boolean {
  return reader.token.word === word
}

/** Passes the word or symbol where it comes next. */
export function take(reader: Reader, word: string): boolean {
  if (reader.token.word !== word) return false
  advance(reader)
  return true
}

/** Passes both words where they come next. */
export function takeBoth(reader: Reader, first: string, second: string): boolean {
  if (reader.token.word !== first || peek(reader).word !== second) return false
  advance(reader)
  advance(reader)
  return true
}

export function textOf(reader: Reader, span: Span): string {
  return reader.text.slice(span.start, span.end)
}

/** The span from an offset to where the token before ends. */
export function spanFrom(reader: Reader, start: number): Span {
  return { start, end: Math.max(start, reader.end) }
}

/** A statement ends here. */
export function isAtEnd(reader: Reader): boolean {
  return reader.token.kind === 'end' || reader.token.word === ';'
}
