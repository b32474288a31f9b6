/** Binds the tables of a FROM clause and their joins. */

import type { FromTable, Join } from '../sql/query-tree.ts'
import { bindExpression, newScope, type Scope, slotOf } from './bind-expression.ts'
import { piecesIn } from './pieces-in.ts'
import type { BoundCte, BoundTable, Slot } from './slots.ts'
import { inputsOf, named, opaque, type Relation, type TaggedColumns, textAt, type Work } from './work.ts'

export function bindTable(
  work: Work,
  table: FromTable,
  scope: Scope,
  ctes: readonly BoundCte[],
  id: string,
): void {
  const before = [...scope.tables]
  const bound = tableFor(work, table, scope, ctes, id)
  scope.tables.push(bound)
  if (bound.cte !== undefined)
    work.mentions.push({ range: table.nameRange, target: bound.cte, role: 'read', qualified: false })
  if (table.alias !== undefined)
    work.mentions.push({ range: table.alias.range, target: bound, role: 'definition', qualified: false })
  if (table.join !== undefined) bindJoin(work, table.join, before, bound, scope, id)
}

function tableFor(
  work: Work,
  table: FromTable,
  scope: Scope,
  ctes: readonly BoundCte[],
  id: string,
): BoundTable {
  const base = { kind: 'table', id, alias: table.alias, table, hidden: false } as const
  const own = table.alias?.name
  const cte = table.kind === 'name' ? ctes.find(each => sameName(each.cte.name, table.name)) : undefined
  const tag = table.kind === 'tag' ? work.world.table(textAt(work, table.nameRange)) : undefined
  const relation = relationOf(work, table, scope, ctes, cte, tag, id)
  const isFree = own === undefined && tag !== undefined
  return {
    ...base,
    name: own ?? tag?.name ?? table.name,
    cte,
    asset: isFree ? tag.asset : undefined,
    ...(table.pivoted ? pivoted(work, table, relation, id) : named(relation, table.columnNames, work, id)),
  }
}

function relationOf(
  work: Work,
  table: FromTable,
  scope: Scope,
  ctes: readonly BoundCte[],
  cte: BoundCte | undefined,
  tag: TaggedColumns | undefined,
  id: string,
): Relation {
  if (tag !== undefined) return inputsOf(work, tag)
  if (cte !== undefined) return { slots: cte.slots, open: cte.open }
  if (table.query !== undefined) {
    const neighbours = { ...newScope(scope), tables: [...scope.tables], merged: new Map(scope.merged) }
    return work.bindQuery(`${id}.q`, table.query, neighbours, ctes)
  }
  // Arguments of a table function may name columns of what stands before it.
  if (table.kind === 'function') {
    const end = table.alias?.range.start ?? table.range.end
    bindExpression(work.binder, piecesIn(work.pieces, { start: table.nameRange.end, end }), scope)
  }
  return { slots: [], open: table.columnNames.length > 0 ? undefined : opaque(id) }
}

/** What a PIVOT makes of a table only the warehouse knows. */
function pivoted(work: Work, table: FromTable, relation: Relation, id: string): Relation {
  const scope = newScope(undefined)
  const end = table.alias?.range.start ?? table.range.end
  scope.tables.push({
    kind: 'table',
    id: `${id}.p`,
    name: table.name,
    alias: undefined,
    table,
    cte: undefined,
    asset: undefined,
    ...relation,
    hidden: false,
  })
  // Brackets of a query in it are bound already.
  const pieces = piecesIn(work.pieces, { start: table.nameRange.end, end })
  bindExpression(work.binder, pieces, scope)
  return { slots: [], open: opaque(id) }
}

// ---------------------------------------------------------------- joins

function bindJoin(
  work: Work,
  join: Join,
  before: readonly BoundTable[],
  bound: BoundTable,
  scope: Scope,
  id: string,
): void {
  const names = join.natural ? commonNames(before, bound) : join.using.map(name => name.name)
  for (const [index, name] of names.entries()) {
    const merged = mergeColumn(before, bound, scope, name, `${id}.j${index}`)
    const at = join.using[index]
    if (merged !== undefined && at !== undefined)
      work.mentions.push({
        range: at.range,
        target: { kind: 'column', slot: merged },
        role: 'read',
        qualified: false,
      })
  }
  if (join.onRange !== undefined) bindExpression(work.binder, piecesIn(work.pieces, join.onRange), scope)
  if (/\b(SEMI|ANTI)\b/.test(join.words)) bound.hidden = true
}

function commonNames(before: readonly BoundTable[], bound: BoundTable): readonly string[] {
  const left = before.filter(table => !table.hidden).flatMap(table => table.slots.map(slot => slot.name))
  return [...new Set(left)].filter(name => slotOf(bound, name) !== undefined)
}

function mergeColumn(
  before: readonly BoundTable[],
  bound: BoundTable,
  scope: Scope,
  name: string,
  id: string,
): Slot | undefined {
  const key = name.toLowerCase()
  const known = scope.merged.get(key)
  const members = known?.maker.kind === 'merged' ? known.maker.members : []
  const lefts = before.filter(table => !table.hidden)
  const left = members.length > 0 ? members : lefts.flatMap(table => slotOf(table, name) ?? []).slice(0, 1)
  const leftOpen = left.length > 0 ? left : lefts.flatMap(table => table.open?.(name) ?? []).slice(0, 1)
  const right = slotOf(bound, name) ?? bound.open?.(name)
  const all = right === undefined ? leftOpen : [...leftOpen, right]
  const [first] = all
  if (first === undefined) return undefined
  const merged: Slot = { id, name: first.name, maker: { kind: 'merged', members: all } }
  scope.merged.set(key, merged)
  return merged
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
