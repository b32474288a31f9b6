/**
 * Reads the shape of a query from SQL that may be broken anywhere. Never fails and never judges: what does not fit is
 * passed over, a bracket that is missing is taken to be where the next SELECT begins.
 */
import type { Range } from '../../text/range.ts'
import { holdsQuery, valuesWidth } from './brackets.ts'
import type { Clause, Core, Cte, FromTable, Name, Query, QueryParent, SelectItem } from './query-tree.ts'
import { clausesOf, type Stretch } from './read-clauses.ts'
import { readColumnNames, readTables } from './read-from.ts'
import { readItems } from './read-select-list.ts'
import { rememberTexts } from './remember-texts.ts'
import { queryWords, setOperators } from './sql-words.ts'
import {
  type Group,
  isParenthesis,
  markOf,
  nameOf,
  type Piece,
  splitAtCommas,
  tokenTree,
  wordOf,
} from './token-tree.ts'
import { tolerantTokens } from './tolerant-tokens.ts'

/** The statements of a text, in order; at least one. A text without a query gives a query without a core. */
export const readStatements = rememberTexts(statementsOf)

function statementsOf(text: string): readonly Query[] {
  const pieces = tokenTree(text, tolerantTokens(text))
  const statements: Query[] = []
  let start = 0
  let from = 0
  for (let index = 0; index <= pieces.length; index++) {
    const piece = pieces[index]
    if (piece !== undefined && markOf(text, piece) !== ';') continue
    const end = piece?.start ?? text.length
    const part = pieces.slice(from, index)
    if (part.length > 0 || piece === undefined) statements.push(...readAll({ text }, part, { start, end }))
    start = piece?.end ?? end
    from = index + 1
  }
  return statements
}

interface Reader {
  readonly text: string
}

/** What is left when a query ends too early is another one. */
function readAll(reader: Reader, pieces: readonly Piece[], range: Range): Query[] {
  const found: Query[] = []
  let next = 0
  let { start } = range
  do {
    const read = readQuery(reader, pieces, next, { start, end: range.end }, undefined)
    found.push(read.query)
    if (read.next <= next) break
    next = read.next
    start = read.query.range.end
  } while (next < pieces.length)
  return found
}

interface Building extends Query {
  range: Range
  recursive: boolean
  readonly ctes: Cte[]
  readonly cores: Core[]
  readonly tail: Clause[]
}

interface ReadQuery {
  readonly query: Query
  /** Index of the first piece that does not belong to it. */
  readonly next: number
}

function readQuery(
  reader: Reader,
  pieces: readonly Piece[],
  from: number,
  range: Range,
  parent: QueryParent | undefined,
  isClosed = false,
): ReadQuery {
  const query: Building = { range, ctes: [], recursive: false, cores: [], tail: [], parent }
  let all = pieces
  let next = from
  while (next < all.length && !beginsQuery(all, next)) next++
  if (wordOf(all[next]) === 'with') {
    const read = readCtes(reader, all, next + 1, query)
    all = read.pieces
    next = read.next
  }
  next = readCores(reader, all, next, query)
  const following = all[next]
  // What is left over in a closed bracket still stands inside.
  if (following !== undefined && !isClosed) query.range = { start: range.start, end: following.start }
  moveTail(query)
  // Pieces spliced in out of an open bracket are counted from the end.
  return { query, next: pieces.length - (all.length - next) }
}

function beginsQuery(pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at]
  return piece?.kind === 'group' ? holdsQuery(piece) : queryWords.has(wordOf(piece))
}

// ---------------------------------------------------------------- WITH

function readCtes(
  reader: Reader,
  pieces: readonly Piece[],
  from: number,
  query: Building,
): { pieces: readonly Piece[]; next: number } {
  let all = pieces
  let next = from
  if (wordOf(all[next]) === 'recursive') {
    query.recursive = true
    next++
  }
  for (;;) {
    while (markOf(reader.text, all[next]) === ',') next++
    const name = nameOf(reader.text, all[next])
    const first = all[next]
    if (name === undefined || first === undefined || queryWords.has(wordOf(first))) break
    const head = readCteHead(reader, all, next + 1)
    const whole = withoutStray(reader, all, head.next)
    all = whole.pieces
    const { group } = whole
    const cte: { -readonly [K in keyof Cte]: Cte[K] } = {
      name,
      nameRange: { start: first.start, end: first.end },
      range: { start: first.start, end: (group ?? all[head.next - 1] ?? first).end },
      columnNames: head.columnNames,
      query: undefined,
    }
    next = head.next
    if (group !== undefined) {
      const read = readGroup(reader, group, { kind: 'cte', query, index: query.ctes.length })
      cte.query = read.query
      next++
      if (!group.closed && read.rest.length > 0) {
        // The closing bracket is missing: what follows its query stands outside.
        cte.range = { start: first.start, end: read.query.range.end }
        all = [...all.slice(0, next), ...read.rest, ...all.slice(next)]
      }
    }
    query.ctes.push(cte)
    if (markOf(reader.text, all[next]) !== ',' && !followsCte(reader, all, next)) break
  }
  return { pieces: all, next }
}

/**
 * The bracket of a CTE. Where something else follows it than may follow a CTE, the bracket that closed it was one too
 * many, and the one too many further on is the one that closes it.
 */
function withoutStray(
  { text }: Reader,
  pieces: readonly Piece[],
  at: number,
): { pieces: readonly Piece[]; group: Group | undefined } {
  const group = pieces[at]
  if (!isParenthesis(group)) return { pieces, group: undefined }
  const next = pieces[at + 1]
  const isEnd = next === undefined || markOf(text, next) === ',' || beginsQuery(pieces, at + 1)
  const stray = isEnd ? -1 : pieces.findIndex((piece, index) => index > at && markOf(text, piece) === ')')
  const closing = pieces[stray]
  if (closing === undefined) return { pieces, group }
  const merged: Group = {
    ...group,
    pieces: [...group.pieces, ...pieces.slice(at + 1, stray)],
    end: closing.end,
    inner: { start: group.inner.start, end: closing.start },
  }
  return { pieces: [...pieces.slice(0, at), merged, ...pieces.slice(stray + 1)], group: merged }
}

/** A name with AS and a bracket: another CTE, though the comma between them is missing. */
function followsCte(reader: Reader, pieces: readonly Piece[], at: number): boolean {
  return (
    nameOf(reader.text, pieces[at]) !== undefined &&
    wordOf(pieces[at + 1]) === 'as' &&
    isParenthesis(pieces[at + 2])
  )
}

function readCteHead(
  reader: Reader,
  pieces: readonly Piece[],
  from: number,
): { columnNames: readonly Name[]; next: number } {
  let next = from
  let columnNames: readonly Name[] = []
  const group = pieces[next]
  if (isParenthesis(group) && !holdsQuery(group)) {
    columnNames = readColumnNames(reader.text, group)
    next++
  }
  while (['as', 'not', 'materialized'].includes(wordOf(pieces[next]))) next++
  return { columnNames, next }
}

function readGroup(
  reader: Reader,
  group: Group,
  parent: QueryParent,
): { query: Query; rest: readonly Piece[] } {
  const { query, next } = readQuery(reader, group.pieces, 0, group.inner, parent, group.closed)
  return { query, rest: group.pieces.slice(next) }
}

// ---------------------------------------------------------------- SELECT and its like

interface CoreBuilding extends Core {
  range: Range
  valuesWidth: number | undefined
  items: readonly SelectItem[]
  tables: readonly FromTable[]
  windows: readonly Name[]
  readonly clauses: Clause[]
}

function readCores(reader: Reader, pieces: readonly Piece[], from: number, query: Building): number {
  let next = from
  let byName = false
  for (;;) {
    const first = pieces[next]
    if (first === undefined || !beginsQuery(pieces, next)) break
    next = readCore(reader, pieces, next, query, byName)
    if (!setOperators.has(wordOf(pieces[next]))) break
    next++
    byName = false
    while (['all', 'distinct', 'by', 'name'].includes(wordOf(pieces[next]))) {
      byName ||= wordOf(pieces[next]) === 'name'
      next++
    }
  }
  return next
}

function readCore(
  reader: Reader,
  pieces: readonly Piece[],
  from: number,
  query: Building,
  byName: boolean,
): number {
  const core: CoreBuilding = {
    range: {
      start: query.cores.length === 0 ? query.range.start : (pieces[from]?.start ?? 0),
      end: query.range.end,
    },
    clauses: [],
    items: [],
    tables: [],
    windows: [],
    valuesWidth: undefined,
    byName,
  }
  query.cores.push(core)
  const first = pieces[from]
  // `(SELECT …) UNION …`: what is in the brackets is a query of its own.
  if (first?.kind === 'group') return readBracketed(reader, first, pieces, from, query, core)
  const stretches = clausesOf(reader.text, pieces, from)
  const next = stretches.at(-1)?.to ?? from + 1
  const end = pieces[next]?.start ?? query.range.end
  core.range = { start: core.range.start, end }
  for (const [index, stretch] of stretches.entries()) {
    addClause(reader, pieces, stretch, pieces[stretches[index + 1]?.from ?? next]?.start ?? end, query, core)
  }
  return next
}

function readBracketed(
  reader: Reader,
  group: Group,
  pieces: readonly Piece[],
  at: number,
  query: Building,
  core: CoreBuilding,
): number {
  const inner = readGroup(reader, group, { kind: 'nested', query, core: undefined }).query
  core.range = { start: core.range.start, end: group.end }
  const range = { start: group.start, end: group.end }
  core.clauses.push({ kind: 'from', range, bodyStart: group.start, queries: [inner] })
  core.tables = [
    {
      kind: 'query',
      range,
      nameRange: range,
      name: '',
      alias: undefined,
      columnNames: [],
      query: inner,
      valuesWidth: undefined,
      pivoted: false,
      join: undefined,
    },
  ]
  let next = at + 1
  const stretches = clausesOf(reader.text, pieces, next)
  for (const [index, stretch] of stretches.entries()) {
    const end = pieces[stretches[index + 1]?.from ?? stretch.to]?.start ?? query.range.end
    addClause(reader, pieces, stretch, end, query, core)
    core.range = { start: core.range.start, end }
    next = stretch.to
  }
  return next
}

// ---------------------------------------------------------------- clauses

function addClause(
  reader: Reader,
  pieces: readonly Piece[],
  stretch: Stretch,
  end: number,
  query: Building,
  core: CoreBuilding,
): void {
  const { text } = reader
  const { kind } = stretch
  const body = pieces.slice(stretch.body, stretch.to)
  const start = pieces[stretch.from]?.start ?? end
  const bodyStart = pieces[stretch.body - 1]?.end ?? start
  const known = new Map<Group, Query>()
  const queries: Query[] = []
  const read = (group: Group): Query => {
    const before = known.get(group)
    if (before !== undefined) return before
    const inner = readGroup(reader, group, { kind: 'nested', query, core }).query
    known.set(group, inner)
    queries.push(inner)
    return inner
  }
  core.clauses.push({ kind, range: { start, end }, bodyStart, queries })
  findQueries(pieces.slice(stretch.from, stretch.to), read)
  if (kind === 'select') core.items = readItems(text, body)
  else if (kind === 'from') core.tables = readTables(text, body, read, end)
  else if (kind === 'window') core.windows = windowNames(text, body)
  else if (kind === 'values') core.valuesWidth = valuesWidth(text, body[0])
}

function findQueries(pieces: readonly Piece[], read: (group: Group) => Query): void {
  for (const piece of pieces) {
    if (piece.kind !== 'group') continue
    if (holdsQuery(piece)) read(piece)
    else findQueries(piece.pieces, read)
  }
}

function windowNames(text: string, body: readonly Piece[]): readonly Name[] {
  return splitAtCommas(text, body).flatMap(([first]) => {
    const name = nameOf(text, first)
    return name === undefined || first === undefined
      ? []
      : [{ name, range: { start: first.start, end: first.end } }]
  })
}

/** ORDER BY and LIMIT behind a set operation belong to the whole query. */
function moveTail(query: Building): void {
  const last = query.cores.at(-1)
  if (query.cores.length < 2 || last === undefined) return
  const clauses = last.clauses as Clause[]
  const at = clauses.findIndex(clause => ['order', 'limit', 'offset'].includes(clause.kind))
  if (at >= 0) query.tail.push(...clauses.splice(at))
}
