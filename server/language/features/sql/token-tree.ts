/** Groups tokens by their brackets. A bracket that is never closed reaches to the end; one never opened is a leaf. */
import type { SqlToken } from '../../syntax/sql-tokens.ts'
import type { Range } from '../../text/range.ts'
import { queryWords, reservedWords } from './sql-words.ts'

export type Piece = Leaf | Group

export interface Leaf {
  readonly kind: 'leaf'
  readonly token: SqlToken
  readonly start: number
  readonly end: number
  /** Lower-case text of a word; '' for all others. */
  readonly word: string
}

export interface Group {
  readonly kind: 'group'
  readonly bracket: '(' | '[' | '{'
  readonly pieces: readonly Piece[]
  readonly start: number
  readonly end: number
  /** Between the brackets. */
  readonly inner: Range
  readonly closed: boolean
}

interface OpenGroup {
  readonly bracket: Group['bracket']
  /** The word before it; '' where there is none. */
  readonly callee: string
  readonly start: number
  readonly pieces: Piece[]
}

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Comments are left out. */
export function tokenTree(text: string, tokens: readonly SqlToken[]): readonly Piece[] {
  const top: Piece[] = []
  const open: OpenGroup[] = []
  const add = (piece: Piece): void => void (open.at(-1)?.pieces ?? top).push(piece)
  const close = (end: number, innerEnd: number, closed: boolean): void => {
    const group = open.pop()
    if (group === undefined) return
    const { bracket, start, pieces } = group
    add({ kind: 'group', bracket, pieces, start, end, inner: { start: start + 1, end: innerEnd }, closed })
  }
  for (const token of tokens) {
    if (token.kind === 'comment' || isHollow(text, token)) continue
    const mark = token.kind === 'punctuation' ? text.slice(token.start, token.end) : ''
    if (mark === '(' || mark === '[' || mark === '{') {
      const callee = wordOf((open.at(-1)?.pieces ?? top).at(-1))
      open.push({ bracket: mark, callee, start: token.start, pieces: [] })
    } else if (mark in closers) {
      if (!open.some(group => group.bracket === closers[mark])) {
        add(leaf(text, token))
        continue
      }
      while (open.at(-1)?.bracket !== closers[mark]) close(token.start, token.start, false)
      close(token.end, token.start, true)
    } else {
      const piece = leaf(text, token)
      while (cannotHold(open.at(-1), piece.word)) close(piece.start, piece.start, false)
      add(piece)
    }
  }
  while (open.length > 0) close(text.length, text.length, false)
  return top
}

const takesFrom: ReadonlySet<string> = new Set(['extract', 'trim', 'substring', 'overlay'])

/** Somebody is writing `round(x FROM …`: the bracket of the call is not closed yet, and FROM belongs outside. */
function cannotHold(group: OpenGroup | undefined, word: string): boolean {
  if (group === undefined || (word !== 'from' && word !== 'where')) return false
  if (group.pieces.some(piece => queryWords.has(wordOf(piece)))) return false
  if (group.bracket !== '(') return true
  const isCall = group.callee !== '' && !reservedWords.has(group.callee)
  if (group.pieces.length === 0) return isCall
  if (word === 'where') return true
  return !takesFrom.has(group.callee) && wordOf(group.pieces.at(-1)) !== 'distinct'
}

/** A quote or a tag that was opened and left: it means nothing yet. */
export function isHollow(text: string, token: SqlToken): boolean {
  if (token.closed || (token.kind !== 'quoted' && token.kind !== 'tag')) return false
  return /^["{\s]*$/.test(text.slice(token.start, token.end))
}

function leaf(text: string, token: SqlToken): Leaf {
  const word = token.kind === 'word' ? text.slice(token.start, token.end).toLowerCase() : ''
  return { kind: 'leaf', token, start: token.start, end: token.end, word }
}

export function wordOf(piece: Piece | undefined): string {
  return piece?.kind === 'leaf' ? piece.word : ''
}

/** Text of a leaf that is punctuation or an operator; '' for everything else. */
export function markOf(text: string, piece: Piece | undefined): string {
  if (piece?.kind !== 'leaf') return ''
  const { kind } = piece.token
  return kind === 'punctuation' || kind === 'operator' ? text.slice(piece.start, piece.end) : ''
}

export function isParenthesis(piece: Piece | undefined): piece is Group {
  return piece?.kind === 'group' && piece.bracket === '('
}

/** The name that a word or a quoted identifier stands for; undefined for everything else. */
export function nameOf(text: string, piece: Piece | undefined): string | undefined {
  if (piece?.kind !== 'leaf') return undefined
  const written = text.slice(piece.start, piece.end)
  if (piece.token.kind === 'word') return written
  if (piece.token.kind !== 'quoted') return undefined
  return written.slice(1, piece.token.closed ? -1 : undefined).replaceAll('""', '"')
}

/** Pieces between commas; an empty stretch is an empty list. */
export function splitAtCommas(text: string, pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const parts: Piece[][] = [[]]
  for (const piece of pieces) {
    if (markOf(text, piece) === ',') parts.push([])
    else parts.at(-1)?.push(piece)
  }
  return parts
}
