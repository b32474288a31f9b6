/** Guesses the conditions of a join. */
import type { Engine } from '../../../engines/engine.ts'
import { uniqueBy } from '../../../lists.ts'
import type { Column } from '../../../sql/binder/model.ts'
import { testColumns, testKindOf } from '../../../tests/index.ts'
import type { Knowledge } from '../../knowledge.ts'
import type { SqlScope } from '../../sql/scope-at.ts'
import { isPart, originOf, type TableInSight, tableInSight } from '../../sql/tables-in-sight.ts'
import { sortKey } from '../completion.ts'
import { type SqlAsk, type SqlItem, typeIn } from './sql-offer.ts'

/** Offers conditions between the joined table and those before it, after ON and its AND. */
export function joinConditions(ask: SqlAsk): readonly SqlItem[] {
  if (ask.scope.join?.onSpan === undefined) return []
  const { before, joined } = sidesOf(ask.scope)
  if (joined === undefined || joined.name === '') return []
  const pairs = before.flatMap(other => pairsOf(ask.knowledge, other, joined))
  return pairs
    .sort((a, b) => a.rank - b.rank)
    .slice(0, 8)
    .map(({ text, detail }, index) => ({
      label: text,
      kind: 'snippet',
      detail,
      insert: text,
      sort: sortKey('a', index),
    }))
}

/** Returns the table of the join at the place, and the tables before it. */
function sidesOf(scope: SqlScope) {
  const { join, own } = scope
  const tables = own?.tables ?? []
  const at = join === undefined ? -1 : tables.findIndex(table => isPart(table, join.right))
  const joined = tables[at]
  return {
    before: tables
      .slice(0, Math.max(at, 0))
      .flatMap(table => (table.hidden ? [] : tableInSight(scope, table))),
    joined: joined && tableInSight(scope, joined),
  }
}

interface Pair {
  readonly text: string
  readonly detail: string
  readonly rank: number
}

/**
 * Returns column pairs with a rank. 0: svc created the key, or a test promises it; 1: a key and its id; 2:
 * the same name.
 */
function pairsOf(knowledge: Knowledge, left: TableInSight, right: TableInSight): readonly Pair[] {
  if (left.name === '') return []
  const { engine } = knowledge.project
  const pairOf = (a: Side, b: Side, detail: string, rank: number): Pair => {
    // The joined table comes first, as most people write it.
    const [first, second] = a.relation === right ? [a, b] : [b, a]
    return { text: `${written(first, engine)} = ${written(second, engine)}`, detail, rank }
  }
  const bothWays = (find: FindPairs, detail: string, rank: number) =>
    [...find(left, right, knowledge), ...find(right, left, knowledge)].map(([from, to]) =>
      pairOf(from, to, detail, rank),
    )
  const lists = bothWays(listPairs, 'a record and its list', 0)
  const promised = bothWays(promises, 'as a relationships test says', 0)
  const keys = bothWays(keyPairs, 'key and id', 1)
  const same = left.columns
    .filter(
      ({ name }) =>
        !name.startsWith('_svc_') && right.columns.some(column => engine.sameName(column.name, name)),
    )
    .map(({ name }) => pairOf({ relation: left, name }, { relation: right, name }, 'same name', 2))
  return uniqueBy([...lists, ...promised, ...keys, ...same], ({ text }) => text)
}

interface Side {
  readonly relation: TableInSight
  readonly name: string
}

type Sides = readonly [Side, Side]

type FindPairs = (from: TableInSight, to: TableInSight, knowledge: Knowledge) => readonly Sides[]

function pair(from: TableInSight, name: string, to: TableInSight, other: string): readonly Sides[] {
  return [
    [
      { relation: from, name },
      { relation: to, name: other },
    ],
  ]
}

function written({ relation, name }: Side, { quoteIfNeeded }: Engine): string {
  return `${quoteIfNeeded(relation.name)}.${quoteIfNeeded(name)}`
}

function promises(from: TableInSight, to: TableInSight, knowledge: Knowledge): readonly Sides[] {
  const { sameName } = knowledge.project.engine
  const isColumn = (each: Column, asset: string, column: string): boolean => {
    const origin = originOf(each)
    return origin !== undefined && origin.asset === asset && sameName(origin.column, column)
  }
  return from.columns.flatMap((column): readonly Sides[] => {
    const origin = originOf(column)
    if (origin === undefined || origin.source !== undefined) return []
    const tests = knowledge.project.byName.get(origin.asset)?.definition.tests ?? []
    return tests.flatMap((test): readonly Sides[] => {
      const promised = testKindOf(test).target?.(test)
      if (promised === undefined || !testColumns(test).some(each => sameName(each, origin.column))) return []
      const target = to.columns.find(each => isColumn(each, promised.asset, promised.column))
      return target === undefined ? [] : pair(from, column.name, to, target.name)
    })
  })
}

/** Returns the key pairs between a child table and the table of its parent records. */
function listPairs(from: TableInSight, to: TableInSight): readonly Sides[] {
  const isList = from.kind === 'source' && to.kind === 'source' && from.child !== undefined
  if (!isList || to.child === from.child) return []
  const parent = from.columns.find(column => column.name === '_svc_parent_id')
  const id = to.columns.find(column => column.name === '_svc_id')
  if (parent === undefined || id === undefined) return []
  // The parent of a nested list is the list around it, not the outer record.
  if (to.child !== undefined && !from.child?.startsWith(`${to.child}__`)) return []
  return pair(from, parent.name, to, id.name)
}

/** Returns pairs such as `customer_id` and `customers.id`. */
function keyPairs(from: TableInSight, to: TableInSight, { project }: Knowledge): readonly Sides[] {
  const { sameName } = project.engine
  const id = to.columns.find(column => sameName(column.name, 'id'))
  const asset = to.asset ?? to.child ?? to.bound?.cte?.cte.name.text ?? ''
  if (id === undefined || asset === '') return []
  const singular = asset.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '')
  const key = from.columns.find(column => sameName(column.name, `${singular}_id`))
  return key === undefined ? [] : pair(from, key.name, to, id.name)
}

/** Offers names inside USING that the joined table and one before it share. */
export function usingItems(ask: SqlAsk): readonly SqlItem[] {
  const { before, joined } = sidesOf(ask.scope)
  const names = new Set(before.flatMap(({ columns }) => columns.map(({ name }) => name.toLowerCase())))
  return (joined?.columns ?? []).flatMap((column, index): SqlItem[] => {
    if (!names.has(column.name.toLowerCase())) return []
    const detail = typeIn(ask, column) ?? ''
    const insert = ask.place.engine.quoteIfNeeded(column.name)
    return [{ label: column.name, kind: 'column', detail, insert, sort: sortKey('b', index) }]
  })
}
