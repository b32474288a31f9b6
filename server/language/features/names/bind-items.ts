/** The output columns of a select list: what each is called, and which column it passes on. */
import { boundedPattern } from '../../text/bounded-pattern.ts'
import type { Core, Name, SelectItem, StarItem, ValueItem } from '../sql/query-tree.ts'
import { nameAt } from '../sql/read-select-list.ts'
import { isParenthesis, markOf, type Piece, splitAtCommas, wordOf } from '../sql/token-tree.ts'
import {
  bindExpression,
  mentionTable,
  type Resolved,
  resolveChain,
  type Scope,
  tableOf,
} from './bind-expression.ts'
import { piecesIn } from './pieces-in.ts'
import type { BoundTable, Open, Slot } from './slots.ts'
import { defined, opaque, type Work } from './work.ts'

export interface BoundItems {
  readonly items: readonly { readonly item: SelectItem; readonly slots: readonly Slot[] }[]
  readonly slots: readonly Slot[]
  readonly open: Open | undefined
}

export function bindItems(work: Work, core: Core, scope: Scope, id: string, hasSelect: boolean): BoundItems {
  if (!hasSelect) return { items: [], ...starOf(scope, undefined, id, undefined) }
  let open: Open | undefined
  const items = core.items.map((item, index) => {
    const own = `${id}.i${index}`
    if (item.kind === 'value') return { item, slots: [bindValue(work, item, scope, own)] }
    const star = bindStar(work, item, scope, own)
    open ??= star.open
    return { item, slots: star.slots }
  })
  return { items, slots: items.flatMap(each => each.slots), open }
}

// ---------------------------------------------------------------- values

function bindValue(work: Work, item: ValueItem, scope: Scope, id: string): Slot {
  const pieces = expressionPieces(work, item)
  const resolved = bindColumn(work, item, pieces, scope)
  if (resolved === undefined) bindExpression(work.binder, pieces, scope)
  const slot = valueSlot(item, resolved, id)
  if (item.alias !== undefined) {
    defined(work, slot)
    const key = item.alias.name.toLowerCase()
    if (!scope.aliases.has(key)) scope.aliases.set(key, slot)
  }
  return slot
}

function valueSlot(item: ValueItem, resolved: Passed | undefined, id: string): Slot {
  if (item.alias !== undefined)
    return { id, name: item.alias.name, maker: { kind: 'named', at: item.alias, item, of: resolved?.slot } }
  if (resolved?.slot === undefined || item.nameRange === undefined)
    return { id, name: item.name ?? '', maker: { kind: 'expression', item } }
  const at = { name: item.name ?? '', range: item.nameRange }
  // Written as `ORIGIN` it is still called as the column is.
  return { id, name: resolved.slot.name, maker: { kind: 'passed', at, of: resolved.slot, item } }
}

interface Passed {
  /** Undefined: the column's name is that of a field, or nothing is known by it. */
  readonly slot: Slot | undefined
}

/** `a`, `t.a`: a column and nothing else. */
function bindColumn(work: Work, item: ValueItem, pieces: readonly Piece[], scope: Scope): Passed | undefined {
  if (item.expression.kind !== 'column') return undefined
  const names = pieces.flatMap((piece): Name[] =>
    nameAt(work.text, piece)?.name === undefined ? [] : [nameAt(work.text, piece) as Name],
  )
  const resolved: Resolved | undefined = resolveChain(work.binder, names, scope)
  return { slot: resolved?.part === names.length - 1 ? resolved.slot : undefined }
}

/** Without the alias, which may stand before or behind. */
function expressionPieces(work: Work, item: ValueItem): readonly Piece[] {
  const pieces = piecesIn(work.pieces, item.range)
  const { alias } = item
  if (alias === undefined) return pieces
  const rest = pieces.filter(piece => piece.start !== alias.range.start)
  if (alias.range.start === item.range.start) return rest.slice(1)
  return wordOf(rest.at(-1)) === 'as' ? rest.slice(0, -1) : rest
}

// ---------------------------------------------------------------- stars

function bindStar(
  work: Work,
  item: StarItem,
  scope: Scope,
  id: string,
): { slots: readonly Slot[]; open: Open | undefined } {
  const pieces = piecesIn(work.pieces, item.range)
  const qualifier =
    item.qualifier === undefined
      ? undefined
      : nameAt(
          work.text,
          pieces.findLast((_, index) => markOf(work.text, pieces[index + 1]) === '.'),
        )
  const table = qualifier && starTable(scope, qualifier.name)
  // `detail.*`: the fields of a column.
  if (qualifier !== undefined && table === undefined) {
    resolveChain(work.binder, [qualifier], scope)
    return { slots: [], open: opaque(id) }
  }
  if (qualifier !== undefined && table !== undefined) mentionTable(work.binder, qualifier, table)
  const all = starOf(scope, table, id, item)
  const inner = insideStar(scope, all.sources)
  const written = new Map<string, Name>()
  for (const [word, parts] of modifiers(work, pieces)) {
    for (const part of parts) bindModifier(work, word, part, inner, scope, written)
  }
  const pattern = item.pattern === undefined ? undefined : boundedPattern(item.pattern)
  const slots = all.slots.flatMap((slot, index) => {
    const source = all.sources[index]
    const key = slot.name.toLowerCase()
    if (source === undefined || item.exclude.has(key) || pattern?.(slot.name) === false) return []
    const to = item.rename.get(key)
    if (to !== undefined)
      return [
        defined(work, { id: slot.id, name: to.name, maker: { kind: 'named', at: to, item, of: source } }),
      ]
    const replaced = written.get(key)
    const maker = { kind: 'replaced', at: replaced as Name, of: source, item } as const
    return [replaced === undefined ? slot : { id: slot.id, name: slot.name, maker }]
  })
  return { slots, open: all.open }
}

/** Nearest first: a subquery may star a table of the query around it. */
function starTable(scope: Scope, name: string): BoundTable | undefined {
  for (let level: Scope | undefined = scope; level; level = level.parent) {
    const table = tableOf(level, name.toLowerCase())
    if (table !== undefined) return table
  }
  return undefined
}

interface Star {
  readonly slots: readonly Slot[]
  /** Of each slot: the one that it passes on. */
  readonly sources: readonly Slot[]
  readonly open: Open | undefined
}

/** `table` undefined: all of them; a merged column comes once. */
function starOf(scope: Scope, table: BoundTable | undefined, id: string, item: StarItem | undefined): Star {
  const tables = table === undefined ? scope.tables.filter(each => !each.hidden) : [table]
  const seen = new Set<Slot>()
  const sources: Slot[] = []
  for (const each of tables) {
    for (const slot of each.slots) {
      const merged = table === undefined ? mergedOf(scope, slot) : undefined
      if (merged !== undefined && seen.has(merged)) continue
      if (merged !== undefined) seen.add(merged)
      sources.push(merged ?? slot)
    }
  }
  const slots = sources.map(
    (of, index): Slot => ({ id: `${id}.s${index}`, name: of.name, maker: { kind: 'star', of, item } }),
  )
  return { slots, sources, open: tables.find(each => each.open !== undefined)?.open }
}

function mergedOf(scope: Scope, slot: Slot): Slot | undefined {
  const merged = scope.merged.get(slot.name.toLowerCase())
  return merged?.maker.kind === 'merged' && merged.maker.members.includes(slot) ? merged : undefined
}

/** Names behind EXCLUDE and the like are those of the starred tables. */
function insideStar(scope: Scope, sources: readonly Slot[]): Scope {
  const first = new Map(sources.map(slot => [slot.name.toLowerCase(), slot]))
  return { ...scope, parent: scope, first, tables: scope.tables, aliases: new Map() }
}

const modifierWords = new Set(['exclude', 'except', 'replace', 'rename'])

/** What stands behind each of the words EXCLUDE, REPLACE and RENAME. */
function modifiers(
  work: Work,
  pieces: readonly Piece[],
): readonly (readonly [string, readonly (readonly Piece[])[]])[] {
  return pieces.flatMap((piece, index) => {
    const word = wordOf(piece)
    const next = pieces[index + 1]
    if (!modifierWords.has(word) || next === undefined || markOf(work.text, pieces[index - 1]) === '.')
      return []
    if (isParenthesis(next)) return [[word, splitAtCommas(work.text, next.pieces)] as const]
    const end = pieces.findIndex((other, at) => at > index + 1 && modifierWords.has(wordOf(other)))
    return [[word, [pieces.slice(index + 1, end < 0 ? undefined : end)]] as const]
  })
}

function bindModifier(
  work: Work,
  word: string,
  part: readonly Piece[],
  inner: Scope,
  scope: Scope,
  written: Map<string, Name>,
): void {
  const as = part.findLastIndex(piece => wordOf(piece) === 'as')
  if (word === 'replace') {
    bindExpression(work.binder, as < 0 ? part : part.slice(0, as), scope)
    const name = nameAt(work.text, part[as + 1])
    const slot = name && inner.first.get(name.name.toLowerCase())
    if (name === undefined || slot === undefined) return
    written.set(name.name.toLowerCase(), name)
    const target = { kind: 'column', slot } as const
    work.mentions.push({ range: name.range, target, role: 'read', qualified: false })
    return
  }
  bindExpression(work.binder, as < 0 ? part : part.slice(0, as), inner)
}
