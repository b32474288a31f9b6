/** Finds the columns, tables and windows that an expression mentions. Words that name nothing are passed over. */
import { lambdaFunctions } from '../../lineage/functions.ts'
import { holdsQuery } from '../sql/brackets.ts'
import type { Name, Query } from '../sql/query-tree.ts'
import { nameAt } from '../sql/read-select-list.ts'
import { reservedWords } from '../sql/sql-words.ts'
import {
  type Group,
  isParenthesis,
  markOf,
  nameOf,
  type Piece,
  splitAtCommas,
  wordOf,
} from '../sql/token-tree.ts'
import type { BoundTable, BoundWindow, Mention, Slot } from './slots.ts'

/** The names that an expression sees. */
export interface Scope {
  readonly parent: Scope | undefined
  readonly tables: BoundTable[]
  /** What USING and NATURAL made one, by lower-case name. */
  readonly merged: Map<string, Slot>
  /** Seen before all others: the output of the SELECT, in its ORDER BY. */
  readonly first: ReadonlyMap<string, Slot>
  /** Aliases of the select list, by lower-case name. */
  readonly aliases: Map<string, Slot>
  /** Names that stand for no column: parameters of lambdas. */
  readonly params: ReadonlySet<string>
  readonly windows: Map<string, BoundWindow>
}

export interface Binder {
  readonly text: string
  readonly mentions: Mention[]
  /** Queries in brackets, by where the bracket's inside begins. */
  readonly nested: Map<number, Query>
  readonly bindNested: (query: Query, scope: Scope) => void
}

const none: ReadonlySet<string> = new Set()

export function newScope(parent: Scope | undefined): Scope {
  return {
    parent,
    tables: [],
    merged: new Map(),
    first: new Map(),
    aliases: new Map(),
    params: none,
    windows: new Map(),
  }
}

export function bindExpression(binder: Binder, pieces: readonly Piece[], scope: Scope): void {
  for (let at = 0; at < pieces.length; ) at = bindPiece(binder, pieces, at, scope)
}

/** Gives the index of the next piece to look at. */
function bindPiece(binder: Binder, pieces: readonly Piece[], at: number, scope: Scope): number {
  const piece = pieces[at]
  if (piece === undefined) return at + 1
  if (piece.kind === 'group') {
    bindGroup(binder, pieces, at, piece, scope)
    return at + 1
  }
  const { text } = binder
  if (markOf(text, piece) === '::') return behindType(text, pieces, at + 1)
  if (nameOf(text, piece) === undefined || markOf(text, pieces[at - 1]) === '.') return at + 1
  const special = piece.word === '' ? undefined : specialWords[piece.word]
  const next = special?.(binder, pieces, at, scope)
  if (next !== undefined) return next
  return bindChain(binder, pieces, at, scope)
}

// ---------------------------------------------------------------- words that change what follows

type Special = (binder: Binder, pieces: readonly Piece[], at: number, scope: Scope) => number | undefined

const dateParts =
  /^(year|month|day|hour|minute|second|millisecond|microsecond|week|quarter|decade|century|millennium)s?$/

const castLike: Special = (binder, pieces, at, scope) => {
  const group = pieces[at + 1]
  if (!isParenthesis(group)) return undefined
  const as = group.pieces.findLastIndex(piece => wordOf(piece) === 'as')
  bindExpression(binder, as < 0 ? group.pieces : group.pieces.slice(0, as), scope)
  return at + 2
}

const extract: Special = (binder, pieces, at, scope) => {
  const group = pieces[at + 1]
  if (!isParenthesis(group)) return undefined
  const from = group.pieces.findIndex(piece => wordOf(piece) === 'from')
  bindExpression(binder, group.pieces.slice(from + 1), scope)
  return at + 2
}

/** `INTERVAL 1 DAY`, `INTERVAL (n) DAYS`. */
const interval: Special = (binder, pieces, at, scope) => {
  const amount = pieces[at + 1]
  if (amount === undefined || markOf(binder.text, amount) !== '') return undefined
  const isLiteral =
    amount.kind === 'leaf' && (amount.token.kind === 'string' || amount.token.kind === 'number')
  if (!isLiteral && !isParenthesis(amount)) return undefined
  if (amount.kind === 'group') bindGroup(binder, pieces, at + 1, amount, scope)
  return dateParts.test(wordOf(pieces[at + 2])) ? at + 3 : at + 2
}

const over: Special = (binder, pieces, at, scope) => {
  const name = nameAt(binder.text, pieces[at + 1])
  if (name === undefined) return undefined
  mentionWindow(binder, name, scope)
  return at + 2
}

const skipNext: Special = (_binder, _pieces, at) => at + 2

/** `lambda x, y: …`. */
const lambdaWord: Special = (binder, pieces, at, scope) => {
  const colon = pieces.findIndex((piece, index) => index > at && markOf(binder.text, piece) === ':')
  if (colon < 0) return undefined
  const params = pieces.slice(at + 1, colon).flatMap(piece => nameOf(binder.text, piece)?.toLowerCase() ?? [])
  bindExpression(binder, pieces.slice(colon + 1), withParams(scope, params))
  return pieces.length
}

const specialWords: Readonly<Record<string, Special | undefined>> = Object.assign(Object.create(null), {
  cast: castLike,
  try_cast: castLike,
  extract,
  interval,
  over,
  collate: skipNext,
  nulls: skipNext,
  lambda: lambdaWord,
})

function behindType(text: string, pieces: readonly Piece[], from: number): number {
  let next = from + 1
  while (markOf(text, pieces[next]) === '.') next += 2
  while (pieces[next]?.kind === 'group') next++
  return next
}

// ---------------------------------------------------------------- brackets

function bindGroup(binder: Binder, around: readonly Piece[], at: number, group: Group, scope: Scope): void {
  const { text } = binder
  const query = binder.nested.get(group.inner.start)
  const before = wordOf(around[at - 1])
  if (query !== undefined && holdsQuery(group)) binder.bindNested(query, scope)
  else if (before === 'over') bindWindow(binder, group.pieces, scope)
  else if (group.bracket === '{') bindStruct(binder, group, scope)
  else if (group.bracket === '[') bindList(binder, group, scope)
  else if (lambdaFunctions.has(before)) bindLambdaCall(binder, group, scope)
  else
    for (const part of splitAtCommas(text, group.pieces))
      bindExpression(binder, withoutName(text, part), scope)
}

/** `f(name := x)`, `f(name => x)`. */
function withoutName(text: string, part: readonly Piece[]): readonly Piece[] {
  const isNamed = nameOf(text, part[0]) !== undefined && [':=', '=>'].includes(markOf(text, part[1]))
  return isNamed ? part.slice(2) : part
}

/** `{'a': x, b: y}`: keys are no names. */
function bindStruct(binder: Binder, group: Group, scope: Scope): void {
  for (const part of splitAtCommas(binder.text, group.pieces)) {
    const hasKey = markOf(binder.text, part[1]) === ':'
    bindExpression(binder, hasKey ? part.slice(2) : part, scope)
  }
}

/** `[x + 1 for x in list if x > 0]` as well. */
function bindList(binder: Binder, group: Group, scope: Scope): void {
  const { pieces } = group
  const from = pieces.findIndex(piece => wordOf(piece) === 'for')
  const within = pieces.findIndex((piece, index) => index > from && wordOf(piece) === 'in')
  if (from < 0 || within < 0) {
    bindExpression(binder, pieces, scope)
    return
  }
  const params = pieces
    .slice(from + 1, within)
    .flatMap(piece => nameOf(binder.text, piece)?.toLowerCase() ?? [])
  const inner = withParams(scope, params)
  bindExpression(binder, pieces.slice(0, from), inner)
  const condition = pieces.findIndex((piece, index) => index > within && wordOf(piece) === 'if')
  const end = condition < 0 ? pieces.length : condition
  bindExpression(binder, pieces.slice(within + 1, end), scope)
  bindExpression(binder, pieces.slice(end), inner)
}

/** `list_transform(l, x -> …)`; elsewhere the arrow reads JSON. */
function bindLambdaCall(binder: Binder, group: Group, scope: Scope): void {
  const { text } = binder
  const parts = splitAtCommas(text, group.pieces)
  let open: Scope | undefined
  for (const part of parts) {
    const params = lambdaParams(text, part)
    if (params === undefined) {
      bindExpression(binder, withoutName(text, part), open ?? scope)
      continue
    }
    open = withParams(scope, params.names)
    bindExpression(binder, part.slice(params.length), open)
  }
}

function lambdaParams(
  text: string,
  part: readonly Piece[],
): { names: readonly string[]; length: number } | undefined {
  if (wordOf(part[0]) === 'lambda' || markOf(text, part[1]) !== '->') return undefined
  const [first] = part
  const pieces = first?.kind === 'group' ? first.pieces : [first]
  return { names: pieces.flatMap(piece => nameOf(text, piece)?.toLowerCase() ?? []), length: 2 }
}

function withParams(scope: Scope, names: readonly string[]): Scope {
  return { ...newScope(scope), params: new Set(names) }
}

const frameWords = new Set(['rows', 'range', 'groups'])

/** `(w PARTITION BY … ORDER BY … ROWS …)`: words of the frame are no columns. */
export function bindWindow(binder: Binder, pieces: readonly Piece[], scope: Scope): void {
  const base = nameAt(binder.text, pieces[0])
  const isBase =
    base !== undefined && !['partition', 'order'].includes(wordOf(pieces[0])) && isWindow(base, scope)
  if (isBase) mentionWindow(binder, base, scope)
  const frame = pieces.findIndex(
    (piece, index) => frameWords.has(wordOf(piece)) && beginsFrame(binder.text, pieces[index + 1]),
  )
  const end = frame < 0 ? pieces.length : frame
  bindExpression(binder, pieces.slice(isBase ? 1 : 0, end), scope)
  // Of the frame only what stands in brackets may be about columns.
  for (const piece of pieces.slice(end)) if (piece.kind === 'group') bindExpression(binder, [piece], scope)
}

function beginsFrame(text: string, next: Piece | undefined): boolean {
  if (next?.kind === 'group') return false
  return ['between', 'unbounded', 'current', 'interval'].includes(wordOf(next)) || isNumber(text, next)
}

function isNumber(_text: string, piece: Piece | undefined): boolean {
  return piece?.kind === 'leaf' && piece.token.kind === 'number'
}

function isWindow(name: Name, scope: Scope): boolean {
  return scope.windows.has(name.name.toLowerCase())
}

function mentionWindow(binder: Binder, name: Name, scope: Scope): void {
  const target = scope.windows.get(name.name.toLowerCase())
  if (target !== undefined)
    binder.mentions.push({ range: name.range, target, role: 'read', qualified: false })
}

// ---------------------------------------------------------------- names

/** `a.b.c`, up to where it is a call. */
function bindChain(binder: Binder, pieces: readonly Piece[], at: number, scope: Scope): number {
  const { text } = binder
  const names: Name[] = []
  let next = at
  for (;;) {
    const name = nameAt(text, pieces[next])
    if (name === undefined) break
    names.push(name)
    next++
    if (markOf(text, pieces[next]) !== '.' || nameAt(text, pieces[next + 1]) === undefined) break
    next++
  }
  if (isReserved(pieces[at]) && names.length === 1) return next
  const behind = pieces[next]
  if (isParenthesis(behind)) names.pop()
  // `DATE '2024-01-01'`: the name of a type.
  if (names.length === 1 && behind?.kind === 'leaf' && behind.token.kind === 'string') return next
  if (names.length > 0) resolveChain(binder, names, scope)
  return next
}

function isReserved(piece: Piece | undefined): boolean {
  return piece?.kind === 'leaf' && reservedWords.has(piece.word)
}

export interface Resolved {
  readonly slot: Slot
  /** Index of the name that is the column's; what follows are fields. */
  readonly part: number
}

/** Records what the names mention and gives the column that they come to. */
export function resolveChain(binder: Binder, names: readonly Name[], scope: Scope): Resolved | undefined {
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    const found = resolveAt(binder, names, level)
    if (found !== undefined) return found === 'no column' ? undefined : found
  }
  return ask(binder, names, scope)
}

function resolveAt(binder: Binder, names: readonly Name[], scope: Scope): Resolved | 'no column' | undefined {
  const [first, second] = names
  if (first === undefined) return 'no column'
  const key = first.name.toLowerCase()
  if (scope.params.has(key)) return 'no column'
  const table = second === undefined ? undefined : tableOf(scope, key)
  if (table !== undefined && second !== undefined) {
    const slot = slotOf(table, second.name) ?? table.open?.(second.name)
    if (slot !== undefined) {
      mentionTable(binder, first, table)
      return mentionSlot(binder, second, slot, 1)
    }
  }
  const apart = scope.first.get(key) ?? scope.merged.get(key)
  if (apart !== undefined) return mentionSlot(binder, first, apart, 0)
  const tables = scope.tables.filter(each => !each.hidden && slotOf(each, key) !== undefined)
  const [holder] = tables
  const slot = holder === undefined ? scope.aliases.get(key) : slotOf(holder, key)
  if (slot !== undefined) return mentionSlot(binder, first, slot, 0, tables)
  const row = tableOf(scope, key)
  if (row === undefined || names.length > 1) return undefined
  binder.mentions.push({ range: first.range, target: row, role: 'read', qualified: false, row: true })
  return 'no column'
}

/** A name that nothing known has belongs to the nearest relation that may have any. */
function ask(binder: Binder, names: readonly Name[], scope: Scope): Resolved | undefined {
  const [first] = names
  if (first === undefined) return undefined
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    const open = level.tables.find(table => table.open !== undefined && !table.hidden)
    const slot = open?.open?.(first.name)
    if (slot !== undefined) return mentionSlot(binder, first, slot, 0)
  }
  return undefined
}

/** `tables`: those that have a column of the name. */
function mentionSlot(
  binder: Binder,
  name: Name,
  slot: Slot,
  part: number,
  tables: readonly BoundTable[] = [],
): Resolved {
  const target = { kind: 'column', slot } as const
  const [table, ...more] = tables
  binder.mentions.push({
    range: name.range,
    target,
    role: 'read',
    qualified: part > 0,
    ...(table !== undefined && { table }),
    ...(more.length > 0 && { ambiguous: true as const }),
  })
  return { slot, part }
}

export function mentionTable(binder: Binder, name: Name, target: BoundTable): void {
  binder.mentions.push({ range: name.range, target, role: 'read', qualified: false })
}

export function tableOf(scope: Scope, lowerName: string): BoundTable | undefined {
  return scope.tables.find(table => table.name.toLowerCase() === lowerName)
}

export function slotOf(table: Pick<BoundTable, 'slots'>, name: string): Slot | undefined {
  const wanted = name.toLowerCase()
  return table.slots.find(slot => slot.name.toLowerCase() === wanted)
}
