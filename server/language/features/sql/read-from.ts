/** Reads the tables of a FROM clause with their aliases and joins. */
import { holdsQuery, valuesWidth } from './brackets.ts'
import type { FromTable, Join, Name, Query } from './query-tree.ts'
import { nameAt } from './read-select-list.ts'
import { joinWords, reservedWords } from './sql-words.ts'
import { type Group, isParenthesis, markOf, nameOf, type Piece, splitAtCommas, wordOf } from './token-tree.ts'

type ReadGroup = (group: Group) => Query

/** `end`: where the clause ends, white space included. */
export function readTables(
  text: string,
  pieces: readonly Piece[],
  read: ReadGroup,
  end: number,
): readonly FromTable[] {
  const tables: FromTable[] = []
  let next = 0
  let join: Join | undefined
  while (next < pieces.length) {
    const table = readTable(text, pieces, next, read, end)
    if (table !== undefined) {
      const [first, ...rest] = table.tables
      next = table.next
      const condition = readCondition(text, pieces, next, end)
      next = condition.next
      if (first !== undefined) {
        tables.push(
          { ...first, join: join === undefined ? first.join : { ...join, ...condition.join } },
          ...rest,
        )
      }
    }
    const words = readJoinWords(text, pieces, next)
    join = words.join
    // What is neither a table nor a join is passed over.
    next = words.next > next ? words.next : table === undefined ? next + 1 : next
  }
  return tables
}

// ---------------------------------------------------------------- one table

interface ReadTable {
  /** More than one where a bracket holds a join. */
  readonly tables: readonly FromTable[]
  readonly next: number
}

function readTable(
  text: string,
  pieces: readonly Piece[],
  from: number,
  read: ReadGroup,
  end: number,
): ReadTable | undefined {
  let at = from
  let alias: Name | undefined
  if (wordOf(pieces[at]) === 'lateral') at++
  if (nameOf(text, pieces[at]) !== undefined && markOf(text, pieces[at + 1]) === ':') {
    alias = nameAt(text, pieces[at])
    at += 2
  }
  const piece = pieces[at]
  if (piece === undefined || isBetweenTables(text, piece)) return undefined
  if (isParenthesis(piece) && !holdsQuery(piece) && piece.pieces.length > 0) {
    const inner = readTables(text, piece.pieces, read, piece.inner.end)
    const behind = readAlias(text, pieces, at + 1)
    if (behind.alias === undefined) return { tables: inner, next: behind.next }
  }
  const head = readHead(text, pieces, at, read)
  const tail = readAlias(text, pieces, head.next)
  const start = pieces[from]?.start ?? 0
  const table: FromTable = {
    ...head.table,
    range: { start, end: pieces[tail.next - 1]?.end ?? end },
    alias: tail.alias ?? alias,
    columnNames: tail.columnNames,
    pivoted: tail.pivoted,
    join: undefined,
  }
  return { tables: [table], next: tail.next }
}

type Head = Pick<FromTable, 'kind' | 'nameRange' | 'name' | 'query' | 'valuesWidth'>

function readHead(
  text: string,
  pieces: readonly Piece[],
  at: number,
  read: ReadGroup,
): { table: Head; next: number } {
  const piece = pieces[at] as Piece
  const nameRange = { start: piece.start, end: piece.end }
  const head: Head = { kind: 'unknown', nameRange, name: '', query: undefined, valuesWidth: undefined }
  if (piece.kind === 'group') {
    if (!holdsQuery(piece)) return { table: head, next: at + 1 }
    const width = wordOf(piece.pieces[0]) === 'values' ? valuesWidth(text, piece.pieces[1]) : undefined
    const kind = width === undefined ? 'query' : 'values'
    return { table: { ...head, kind, query: read(piece), valuesWidth: width }, next: at + 1 }
  }
  if (piece.token.kind === 'tag') return { table: { ...head, kind: 'tag' }, next: at + 1 }
  if (piece.token.kind === 'string') return { table: { ...head, kind: 'file' }, next: at + 1 }
  return readName(text, pieces, at, head)
}

function readName(
  text: string,
  pieces: readonly Piece[],
  at: number,
  head: Head,
): { table: Head; next: number } {
  let last = at
  while (markOf(text, pieces[last + 1]) === '.' && nameOf(text, pieces[last + 2]) !== undefined) last += 2
  const name = nameOf(text, pieces[last]) ?? ''
  const nameRange = { start: head.nameRange.start, end: pieces[last]?.end ?? head.nameRange.end }
  if (isParenthesis(pieces[last + 1])) {
    return { table: { ...head, kind: 'function', name: name.toLowerCase(), nameRange }, next: last + 2 }
  }
  return { table: { ...head, kind: name === '' ? 'unknown' : 'name', name, nameRange }, next: last + 1 }
}

interface Behind {
  readonly alias: Name | undefined
  readonly columnNames: readonly Name[]
  readonly pivoted: boolean
  readonly next: number
}

/** What may stand behind a table: TABLESAMPLE, PIVOT, an alias with names for its columns. */
function readAlias(text: string, pieces: readonly Piece[], from: number): Behind {
  let next = from
  let pivoted = false
  let alias: Name | undefined
  let columnNames: readonly Name[] = []
  for (;;) {
    const word = wordOf(pieces[next])
    if (word === 'with' && wordOf(pieces[next + 1]) === 'ordinality') next += 2
    else if (word === 'tablesample') next = behindSample(pieces, next + 1)
    else if ((word === 'pivot' || word === 'unpivot') && alias === undefined) {
      pivoted = true
      next++
      while (['include', 'exclude', 'nulls'].includes(wordOf(pieces[next]))) next++
      if (isParenthesis(pieces[next])) next++
    } else if (alias === undefined && isAlias(text, pieces, next)) {
      while (wordOf(pieces[next]) === 'as') next++
      alias = nameAt(text, pieces[next])
      next++
      const group = pieces[next]
      if (isParenthesis(group)) {
        columnNames = readColumnNames(text, group)
        next++
      }
    } else return { alias, columnNames, pivoted, next }
  }
}

function isAlias(text: string, pieces: readonly Piece[], at: number): boolean {
  if (wordOf(pieces[at]) === 'as') {
    const next = wordOf(pieces[at + 1]) === 'as' ? at + 2 : at + 1
    return nameOf(text, pieces[next]) !== undefined && !reservedWords.has(wordOf(pieces[next]))
  }
  return nameOf(text, pieces[at]) !== undefined && !reservedWords.has(wordOf(pieces[at]))
}

/** `TABLESAMPLE reservoir(10 ROWS) REPEATABLE (1)`. */
function behindSample(pieces: readonly Piece[], from: number): number {
  let next = from
  while (pieces[next] !== undefined && !isParenthesis(pieces[next])) next++
  next++
  return wordOf(pieces[next]) === 'repeatable' ? next + 2 : next
}

export function readColumnNames(text: string, group: Group): readonly Name[] {
  return splitAtCommas(text, group.pieces).flatMap(([first]) => nameAt(text, first) ?? [])
}

// ---------------------------------------------------------------- between tables

function isBetweenTables(text: string, piece: Piece): boolean {
  return (
    markOf(text, piece) === ',' || joinWords.has(wordOf(piece)) || ['on', 'using'].includes(wordOf(piece))
  )
}

function readJoinWords(
  text: string,
  pieces: readonly Piece[],
  from: number,
): { join: Join | undefined; next: number } {
  if (markOf(text, pieces[from]) === ',') return { join: undefined, next: from + 1 }
  let next = from
  const words: string[] = []
  while (joinWords.has(wordOf(pieces[next])) && wordOf(pieces[next]) !== 'lateral') {
    words.push(wordOf(pieces[next]).toUpperCase())
    next++
  }
  if (words.length === 0) return { join: undefined, next }
  const join: Join = {
    words: words.join(' '),
    natural: words.includes('NATURAL'),
    using: [],
    usingRange: undefined,
    onRange: undefined,
  }
  return { join, next }
}

function readCondition(
  text: string,
  pieces: readonly Piece[],
  from: number,
  end: number,
): { join: Partial<Join>; next: number } {
  const word = wordOf(pieces[from])
  if (word === 'using') {
    const group = pieces[from + 1]
    if (!isParenthesis(group)) return { join: {}, next: from + 1 }
    return { join: { using: readColumnNames(text, group), usingRange: group.inner }, next: from + 2 }
  }
  if (word !== 'on') return { join: {}, next: from }
  let next = from + 1
  while (next < pieces.length && !endsCondition(text, pieces, next)) next++
  return { join: { onRange: { start: pieces[from]?.end ?? end, end: pieces[next]?.start ?? end } }, next }
}

/** `left` and `right` are functions too. */
function endsCondition(text: string, pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at]
  if (markOf(text, piece) === ',') return true
  if (!joinWords.has(wordOf(piece)) || markOf(text, pieces[at - 1]) === '.') return false
  return !isParenthesis(pieces[at + 1])
}
