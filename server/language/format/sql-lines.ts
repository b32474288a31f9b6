/**
 * Reads the lines that sql-formatter made of a query as a tree by indentation. It compares the formatted text
 * with the source: the words, their case and the blank lines of the result are decided here, its line breaks
 * in `sql-layout.ts`.
 */
import type { Engine } from '../engines/engine.ts'
import type { SqlToken } from '../engines/sql-token.ts'
import { wordSet } from '../sql/grammar.ts'
import { sizes, type Word, wordCase } from './keyword-case.ts'

export interface SqlLine {
  /** The engine whose lexer reads the text. */
  readonly engine: Engine
  readonly text: string
  readonly children: SqlLine[]
  /** The source has an empty line before it. */
  readonly blankBefore: boolean
  /** The source has a line break before it. */
  readonly breakBefore: boolean
  /** The 0-based column of its start in the source. */
  readonly column: number
  /** It ends in a comment, so nothing may follow on the line. */
  readonly endsInComment: boolean
  /** It has a string or a comment of several lines. */
  readonly isTall: boolean
}

/**
 * Returns the lines; undefined if the two texts differ in content, so that the formatted one must not be
 * used. `names` has the originals of replaced words.
 */
export function linesOf(
  source: string,
  formatted: string,
  names: ReadonlyMap<string, string>,
  engine: Engine,
): SqlLine[] | undefined {
  const before = engine.tokens(source)
  const after = engine.tokens(formatted)
  if (before.length !== after.length) return undefined
  const words: Word[] = before.map(token => ({ kind: token.kind, text: textOf(source, token) }))
  const pieces: string[] = []
  for (const [index, token] of after.entries()) {
    const word = words[index]
    if (word?.kind !== token.kind) return undefined
    const text = pieceOf(textOf(formatted, token), word, words, index)
    if (text === undefined) return undefined
    pieces.push(names.get(text) ?? text)
  }
  return tree(rawLines({ engine, source, formatted, before, after, pieces }))
}

function textOf(text: string, token: SqlToken): string {
  return text.slice(token.start, token.end)
}

/** Returns a token for the result; undefined if the formatter changed it. */
function pieceOf(formatted: string, word: Word, words: readonly Word[], index: number): string | undefined {
  if (word.kind === 'word') {
    const isSame = formatted.toLowerCase() === word.text.toLowerCase()
    return isSame ? wordCase(words, index, formatted) : undefined
  }
  if (word.kind === 'comment') return squeezed(formatted) === squeezed(word.text) ? formatted : undefined
  if (word.kind === 'number')
    return formatted.toLowerCase() === word.text.toLowerCase() ? word.text : undefined
  return formatted === word.text ? formatted : undefined
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

interface RawLine {
  readonly indent: number
  readonly line: SqlLine
}

/** The source and the formatted text, with the same number of tokens. */
interface Texts {
  readonly engine: Engine
  readonly source: string
  readonly formatted: string
  readonly before: readonly SqlToken[]
  readonly after: readonly SqlToken[]
  /** The tokens for the result. */
  readonly pieces: readonly string[]
}

function rawLines(texts: Texts): RawLine[] {
  const { source, formatted, after } = texts
  const columns = { source: columnReader(source), formatted: columnReader(formatted) }
  const lines: RawLine[] = []
  for (let first = 0; first < after.length; ) {
    let end = first + 1
    while (end < after.length && !hasBreak(formatted, after[end - 1], after[end])) end++
    lines.push(rawLine(texts, columns, first, end))
    first = end
  }
  return lines
}

function rawLine(
  texts: Texts,
  columns: { readonly source: ColumnReader; readonly formatted: ColumnReader },
  first: number,
  end: number,
): RawLine {
  const { engine, source, before, after, pieces } = texts
  const indent = columns.formatted(after[first]?.start ?? 0)
  let text = ''
  for (let index = first; index < end; index++) {
    const isSpaced =
      index > first &&
      spaceBetween(source, before, index, pieces, after[index - 1]?.end !== after[index]?.start)
    text += (isSpaced ? ' ' : '') + dedented(pieces[index] ?? '', after[index]?.kind, indent)
  }
  const last = after[end - 1]
  return {
    indent,
    line: {
      engine,
      text,
      children: [],
      blankBefore: first > 0 && isBlankBetween(source, before[first - 1], before[first]),
      column: columns.source(before[first]?.start ?? 0),
      breakBefore: first > 0 && hasBreak(source, before[first - 1], before[first]),
      endsInComment: last?.kind === 'comment',
      isTall: text.includes('\n'),
    },
  }
}

/**
 * Returns whether there is a space between two tokens. sql-formatter knows many functions by name and separates others from
 * their bracket; it also takes `REPLACE` after a star for a function, and separates a sign from its number.
 */
function spaceBetween(
  source: string,
  tokens: readonly SqlToken[],
  index: number,
  pieces: readonly string[],
  proposed: boolean,
): boolean {
  const [left, right] = [tokens[index - 1], tokens[index]]
  const piece = pieces[index - 1] ?? ''
  if (left === undefined || right === undefined) return proposed
  const touches = left.end === right.start
  if (isShare(source, tokens, pieces, index) || (touches && isTight(source, tokens, pieces, index)))
    return false
  if (left.kind === 'word' && source[right.start] === '(') {
    if (parted.has(piece)) return true
    return touches ? false : proposed
  }
  const isSign = '+-~@'.includes(piece) || (piece === '*' && /^columns$/i.test(pieces[index] ?? ''))
  if (left.kind === 'operator' && isSign && touches) {
    return isOperand(source, tokens[index - 2], pieces[index - 2])
  }
  return proposed
}

/** Returns whether `%` is that of `LIMIT 10%`: the number before it is a size, and no operand follows. */
function isShare(
  source: string,
  tokens: readonly SqlToken[],
  pieces: readonly string[],
  index: number,
): boolean {
  if (pieces[index] !== '%' || tokens[index - 1]?.kind !== 'number') return false
  const next = tokens[index + 1]
  if (next === undefined || [')', ';'].includes(source.slice(next.start, next.end))) return true
  return sizes.has(pieces[index - 2] ?? '') && /^(?:\(|[A-Z]+$)/.test(pieces[index + 1] ?? '')
}

/**
 * Returns whether a token belongs directly to the one before: the `!` of `5!`, and the bracket of an index or
 * of an array type.
 */
function isTight(
  source: string,
  tokens: readonly SqlToken[],
  pieces: readonly string[],
  index: number,
): boolean {
  const written = pieces[index]
  if (written === '!') return true
  if (written === '[') return isOperand(source, tokens[index - 1], pieces[index - 1])
  return false
}

/** Returns whether the token can be the left operand of a binary operator. */
function isOperand(source: string, token: SqlToken | undefined, piece = ''): boolean {
  if (token === undefined || token.kind === 'operator') return false
  if (token.kind === 'punctuation') return [')', ']', '}'].includes(source.slice(token.start, token.end))
  return token.kind !== 'word' || !parted.has(piece)
}

/** Keywords that may precede a bracket and are no functions. */
const parted = wordSet(
  `ALL AND ANY AS BETWEEN BY CASE CUBE DISTINCT ELSE EXCEPT EXCLUDE EXISTS FILTER FROM GROUP HAVING ILIKE IN
  INTERSECT IS JOIN LATERAL LIKE LIMIT MATERIALIZED NOT OFFSET ON OR ORDER OVER PIVOT QUALIFY RENAME REPLACE
  ROLLUP SELECT SETS SOME THEN UNION UNPIVOT USING VALUES WHEN WHERE WINDOW WITH`,
)

type ColumnReader = (offset: number) => number

/**
 * Returns the column of each offset that it is asked for in ascending order. The text is read once: looking back for the start
 * of the line from each token takes the square of a query that is written in one line.
 */
function columnReader(text: string): ColumnReader {
  let start = 0
  let next = text.indexOf('\n')
  return offset => {
    while (next >= 0 && next < offset) {
      start = next + 1
      next = text.indexOf('\n', start)
    }
    return offset - start
  }
}

/**
 * Moves the further lines of a block comment with its first one; those of a string are part of the string.
 */
function dedented(piece: string, kind: SqlToken['kind'] | undefined, indent: number): string {
  return kind === 'comment' ? piece.replaceAll(`\n${' '.repeat(indent)}`, '\n') : piece
}

function hasBreak(text: string, left: SqlToken | undefined, right: SqlToken | undefined): boolean {
  return text.slice(left?.end, right?.start).includes('\n')
}

function isBlankBetween(text: string, left: SqlToken | undefined, right: SqlToken | undefined): boolean {
  return /\n[ \t\r]*\n/.test(text.slice(left?.end, right?.start))
}

function tree(lines: readonly RawLine[]): SqlLine[] {
  const roots: SqlLine[] = []
  const open: RawLine[] = []
  for (const each of lines) {
    while ((open.at(-1)?.indent ?? -1) >= each.indent) open.pop()
    const parent = open.at(-1)
    if (parent === undefined) roots.push(each.line)
    else parent.line.children.push(each.line)
    open.push(each)
  }
  return roots
}
