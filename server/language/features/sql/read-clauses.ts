/** Cuts a SELECT into its clauses, by the words that begin them. Never judges whether they may stand there. */
import { holdsQuery } from './brackets.ts'
import type { ClauseKind } from './query-tree.ts'
import { setOperators } from './sql-words.ts'
import { isParenthesis, markOf, type Piece, wordOf } from './token-tree.ts'

export interface Stretch {
  readonly kind: ClauseKind
  /** Index of the first keyword, and behind the last piece. */
  readonly from: number
  readonly to: number
  /** Index of what the clause holds. */
  readonly body: number
}

/** Those of one SELECT, from its first word to where it ends. */
export function clausesOf(text: string, pieces: readonly Piece[], from: number): readonly Stretch[] {
  const found: { kind: ClauseKind; from: number; to: number; body: number }[] = []
  let index = from
  for (; index < pieces.length; index++) {
    const kind = clauseAt(text, pieces, index)
    if (kind === undefined) continue
    if (kind === 'end' || (kind === 'select' && found.some(each => each.kind === 'select'))) break
    const previous = found.at(-1)
    if (previous !== undefined) previous.to = index
    const body = index + headLength(pieces, index, kind)
    found.push({ kind, from: index, to: index, body })
    index = body - 1
  }
  const last = found.at(-1)
  if (last !== undefined) last.to = Math.max(index, last.body)
  return found
}

const starters: Readonly<Record<string, ClauseKind>> = {
  select: 'select',
  from: 'from',
  where: 'where',
  group: 'group',
  having: 'having',
  window: 'window',
  qualify: 'qualify',
  order: 'order',
  limit: 'limit',
  offset: 'offset',
}

/** Words that begin a query of another kind; only at its beginning. */
const others: Readonly<Record<string, ClauseKind>> = {
  values: 'values',
  table: 'from',
  pivot: 'from',
  unpivot: 'from',
  describe: 'from',
  summarize: 'from',
  show: 'other',
}

function clauseAt(text: string, pieces: readonly Piece[], at: number): ClauseKind | 'end' | undefined {
  const piece = pieces[at]
  const word = wordOf(piece)
  if (word === '' || piece === undefined) return undefined
  const before = pieces[at - 1]
  if (markOf(text, before) === '.' && before?.end === piece.start) return undefined
  if (setOperators.has(word)) return isSetOperator(pieces, at) ? 'end' : undefined
  if (Object.hasOwn(starters, word)) return isClause(word, pieces, at) ? starters[word] : undefined
  if (word === 'using' && wordOf(pieces[at + 1]) === 'sample') return 'sample'
  if (Object.hasOwn(others, word) && (before === undefined || isQueryStart(before))) return others[word]
  return undefined
}

function isQueryStart(before: Piece): boolean {
  return (
    ['union', 'except', 'intersect', 'all', 'name', 'distinct'].includes(wordOf(before)) ||
    before.kind === 'group'
  )
}

/** `* EXCEPT (a)` is another tool's way to write EXCLUDE. */
function isSetOperator(pieces: readonly Piece[], at: number): boolean {
  const next = pieces[at + 1]
  return !(wordOf(pieces[at]) === 'except' && isParenthesis(next) && !holdsQuery(next))
}

function isClause(word: string, pieces: readonly Piece[], at: number): boolean {
  const before = wordOf(pieces[at - 1])
  if (word === 'from') return !(before === 'distinct' && ['is', 'not'].includes(wordOf(pieces[at - 2])))
  return !(word === 'group' && before === 'within')
}

/** Number of keywords that the clause begins with. */
function headLength(pieces: readonly Piece[], at: number, kind: ClauseKind): number {
  if (kind === 'sample') return 2
  if (kind === 'select') return 1 + distinctLength(pieces, at + 1)
  const takesBy = kind === 'group' || kind === 'order'
  return takesBy && wordOf(pieces[at + 1]) === 'by' ? 2 : 1
}

function distinctLength(pieces: readonly Piece[], at: number): number {
  const word = wordOf(pieces[at])
  if (word === 'all') return 1
  if (word !== 'distinct') return 0
  return wordOf(pieces[at + 1]) === 'on' && isParenthesis(pieces[at + 2]) ? 3 : 1
}
