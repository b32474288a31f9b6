/** Reads the select list of a query: what each item is called and, where it is plain to see, what it is. */
import { onlyEngine } from '../../engines/only-engine.ts'
import { canonicalType } from '../../source/column-type.ts'
import type { Range } from '../../text/range.ts'
import type { Expression, Name, SelectItem, StarItem } from './query-tree.ts'
import { operandWords, reservedWords } from './sql-words.ts'
import { type Group, isParenthesis, markOf, nameOf, type Piece, splitAtCommas, wordOf } from './token-tree.ts'

export function readItems(text: string, pieces: readonly Piece[]): readonly SelectItem[] {
  return splitAtCommas(text, pieces).flatMap(part => (part.length === 0 ? [] : [readItem(text, part)]))
}

function readItem(text: string, pieces: readonly Piece[]): SelectItem {
  return readStar(text, pieces) ?? readValue(text, pieces)
}

function rangeOf(pieces: readonly Piece[]): Range {
  return { start: pieces[0]?.start ?? 0, end: pieces.at(-1)?.end ?? 0 }
}

// ---------------------------------------------------------------- stars

function readStar(text: string, pieces: readonly Piece[]): StarItem | undefined {
  const at = starAt(text, pieces)
  const star = pieces[at]
  if (star === undefined) return undefined
  const call = wordOf(pieces[at - 1]) === 'columns' && isParenthesis(star) ? star : undefined
  return {
    kind: 'star',
    range: rangeOf(pieces),
    starRange: call === undefined ? rangeOf([star]) : rangeOf(pieces.slice(at - 1, at + 1)),
    qualifier: call === undefined && at > 0 ? nameOf(text, pieces[at - 2]) : undefined,
    exclude: new Set(excluded(text, pieces, at)),
    replace: replaced(text, pieces, at),
    rename: renamed(text, pieces, at),
    pattern: call === undefined ? undefined : patternOf(text, call),
  }
}

/** Index of `*`, or of the brackets of COLUMNS where that is the whole item; -1: it is no star. */
function starAt(text: string, pieces: readonly Piece[]): number {
  if (markOf(text, pieces[0]) === '*') return 0
  if (wordOf(pieces[0]) === 'columns' && isParenthesis(pieces[1]) && pieces.length === 2) return 1
  let at = 0
  while (nameOf(text, pieces[at]) !== undefined && markOf(text, pieces[at + 1]) === '.') at += 2
  return at > 0 && markOf(text, pieces[at]) === '*' ? at : -1
}

function patternOf(text: string, group: Group): string | undefined {
  const [only] = group.pieces
  if (only?.kind !== 'leaf' || only.token.kind !== 'string') return undefined
  return text.slice(only.start + 1, only.end - 1)
}

/** What stands behind a word such as EXCLUDE: one piece, or what is in its brackets. */
function behind(
  text: string,
  pieces: readonly Piece[],
  at: number,
  words: readonly string[],
): readonly (readonly Piece[])[] {
  const found = pieces.findIndex((piece, index) => index > at && words.includes(wordOf(piece)))
  const next = pieces[found + 1]
  if (found < 0 || next === undefined) return []
  return isParenthesis(next) ? splitAtCommas(text, next.pieces) : [pieces.slice(found + 1)]
}

function excluded(text: string, pieces: readonly Piece[], at: number): readonly string[] {
  return behind(text, pieces, at, ['exclude', 'except']).flatMap(part => {
    const isQualified = markOf(text, part[1]) === '.'
    const name = nameOf(text, part[isQualified ? 2 : 0])
    return name === undefined ? [] : [name.toLowerCase()]
  })
}

function replaced(text: string, pieces: readonly Piece[], at: number): ReadonlyMap<string, Expression> {
  const found = new Map<string, Expression>()
  for (const part of behind(text, pieces, at, ['replace'])) {
    const item = part.length === 0 ? undefined : readValue(text, part)
    if (item?.kind === 'value' && item.alias) found.set(item.alias.name.toLowerCase(), item.expression)
  }
  return found
}

function renamed(text: string, pieces: readonly Piece[], at: number): ReadonlyMap<string, Name> {
  const found = new Map<string, Name>()
  for (const part of behind(text, pieces, at, ['rename'])) {
    const as = part.findIndex(piece => wordOf(piece) === 'as')
    const from = nameOf(text, part[as - 1])
    const to = nameAt(text, part[as + 1])
    if (from !== undefined && to !== undefined) found.set(from.toLowerCase(), to)
  }
  return found
}

// ---------------------------------------------------------------- values

function readValue(text: string, pieces: readonly Piece[]): SelectItem {
  const { alias, expression: inner } = splitAlias(text, pieces)
  const expression = expressionOf(text, inner)
  const own = expression.kind === 'column' ? expression.column : undefined
  return {
    kind: 'value',
    range: rangeOf(pieces),
    name: alias?.name ?? own?.name,
    nameRange: alias?.range ?? own?.range,
    alias,
    expression,
  }
}

export function nameAt(text: string, piece: Piece | undefined): Name | undefined {
  const name = nameOf(text, piece)
  return name === undefined || piece === undefined
    ? undefined
    : { name, range: { start: piece.start, end: piece.end } }
}

interface Aliased {
  readonly alias: Name | undefined
  readonly expression: readonly Piece[]
}

/** `x AS a`, `x a` and `a: x`. */
function splitAlias(text: string, pieces: readonly Piece[]): Aliased {
  const first = nameAt(text, pieces[0])
  if (first !== undefined && markOf(text, pieces[1]) === ':' && pieces.length > 2)
    return { alias: first, expression: pieces.slice(2) }
  const last = nameAt(text, pieces.at(-1))
  if (last === undefined || pieces.length < 2) return { alias: undefined, expression: pieces }
  if (wordOf(pieces.at(-2)) === 'as') return { alias: last, expression: pieces.slice(0, -2) }
  const isAlias =
    !reservedWords.has(wordOf(pieces.at(-1))) && endsOperand(text, pieces.at(-2)) && !isUnit(pieces)
  return isAlias ? { alias: last, expression: pieces.slice(0, -1) } : { alias: undefined, expression: pieces }
}

const units =
  /^(year|month|day|hour|minute|second|millisecond|microsecond|week|quarter|decade|century|millennium)s?$/

/** `INTERVAL 1 DAY`: the last word is the unit. */
function isUnit(pieces: readonly Piece[]): boolean {
  return wordOf(pieces.at(-3)) === 'interval' && units.test(wordOf(pieces.at(-1)))
}

/** Whether an expression can end with this piece. */
export function endsOperand(text: string, piece: Piece | undefined): boolean {
  if (piece === undefined) return false
  if (piece.kind === 'group') return true
  if (piece.token.kind === 'word') return operandWords.has(piece.word) || !reservedWords.has(piece.word)
  return markOf(text, piece) === ''
}

const booleans: ReadonlySet<string> = new Set(['true', 'false'])

export function expressionOf(text: string, pieces: readonly Piece[]): Expression {
  const cast = castType(text, pieces)
  if (cast !== undefined) return { kind: 'cast', type: canonicalType(cast, onlyEngine.types) }
  const column = columnOf(text, pieces)
  if (column !== undefined) return column
  const [first, second] = pieces
  if (first?.kind !== 'leaf') return { kind: 'other' }
  if (pieces.length === 1) return literalOf(text, first)
  const callee = nameOf(text, first)
  if (callee === undefined || !isParenthesis(second)) return { kind: 'other' }
  return isWholeCall(pieces) ? { kind: 'call', name: callee.toLowerCase() } : { kind: 'other' }
}

function literalOf(text: string, leaf: Piece & { kind: 'leaf' }): Expression {
  if (booleans.has(leaf.word)) return { kind: 'literal', type: 'BOOLEAN' }
  if (leaf.token.kind === 'string') return { kind: 'literal', type: 'VARCHAR' }
  const isWhole = leaf.token.kind === 'number' && /^\d{1,9}$/.test(text.slice(leaf.start, leaf.end))
  return isWhole ? { kind: 'literal', type: 'INTEGER' } : { kind: 'other' }
}

/** `f(…)`, with FILTER, OVER and WITHIN GROUP behind it. */
function isWholeCall(pieces: readonly Piece[]): boolean {
  for (let at = 2; at < pieces.length; at++) {
    const word = wordOf(pieces[at])
    if (word === 'filter' && isParenthesis(pieces[at + 1])) at++
    else if (word === 'over') at++
    else if (word === 'within' && wordOf(pieces[at + 1]) === 'group') at += 2
    else return false
  }
  return true
}

function columnOf(text: string, pieces: readonly Piece[]): Expression | undefined {
  if (pieces.length === 0 || pieces.length % 2 === 0 || operandWords.has(wordOf(pieces[0]))) return undefined
  for (let at = 1; at < pieces.length; at += 2) if (markOf(text, pieces[at]) !== '.') return undefined
  const column = nameAt(text, pieces.at(-1))
  if (column === undefined || nameOf(text, pieces[0]) === undefined) return undefined
  if (pieces.length === 1 && reservedWords.has(wordOf(pieces[0]))) return undefined
  return { kind: 'column', qualifier: nameOf(text, pieces.at(-3)), column }
}

/** The type of `… :: type` and of `CAST(… AS type)`. */
function castType(text: string, pieces: readonly Piece[]): string | undefined {
  const at = pieces.findLastIndex(piece => markOf(text, piece) === '::')
  if (at > 0 && isTypeText(text, pieces.slice(at + 1))) return textOf(text, pieces.slice(at + 1))
  const [word, group] = pieces
  if (pieces.length !== 2 || !['cast', 'try_cast'].includes(wordOf(word)) || !isParenthesis(group))
    return undefined
  const as = group.pieces.findLastIndex(piece => wordOf(piece) === 'as')
  const type = group.pieces.slice(as + 1)
  return as > 0 && isTypeText(text, type) ? textOf(text, type) : undefined
}

function isTypeText(text: string, pieces: readonly Piece[]): boolean {
  return (
    pieces.length > 0 && pieces.every(piece => piece.kind === 'group' || nameOf(text, piece) !== undefined)
  )
}

function textOf(text: string, pieces: readonly Piece[]): string {
  return text.slice(pieces[0]?.start, pieces.at(-1)?.end)
}
