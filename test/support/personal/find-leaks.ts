/** What a query shows of marked values, against what the analysis says that it does. */
import type { AssetAnalysis } from '@svc/server/language'
import { type Grades, gradesOf } from './grades.ts'
import type { MarkedWarehouse, Outcome } from './marked-warehouse.ts'
import { changedBy, dependsOnWindowOrder, isMoreThanOrder, observationOf } from './observe.ts'
import type { RandomQuery } from './random/queries.ts'
import { originKey, tables } from './tables.ts'

export interface Leak {
  /** `shown`: values can be read there. `changed`: its values are others when those of the origins are. */
  readonly kind: 'shown' | 'changed' | 'columns'
  readonly column: number
  readonly what: string
}

/** Sets of columns that are given other values, a query. */
const mostSets = 2
const allOrigins = tables.flatMap(table =>
  table.columns.filter(({ kind }) => kind !== 'key').map(({ name }) => originKey(table.name, name)),
)

/**
 * Looks in two warehouses with different values: what happens in both is no accident. `onUnjudged` is called for a result
 * that changed where the order of rows alone may be the reason.
 */
export async function leaksIn(
  query: RandomQuery,
  analysis: AssetAnalysis,
  outcome: Outcome,
  [first, second]: readonly [MarkedWarehouse, MarkedWarehouse],
  onUnjudged: () => void = () => undefined,
): Promise<readonly Leak[]> {
  const leaks = await leaksSeen(query, analysis, outcome, first, onUnjudged)
  if (leaks.length === 0) return []
  const again = await second.run(query.sql)
  if (again === undefined) return leaks
  const confirmed = await leaksSeen(query, analysis, again, second)
  return leaks.filter(leak => confirmed.some(each => each.column === leak.column && each.kind === leak.kind))
}

async function leaksSeen(
  query: RandomQuery,
  analysis: AssetAnalysis,
  outcome: Outcome,
  warehouse: MarkedWarehouse,
  onUnjudged: () => void = () => undefined,
): Promise<readonly Leak[]> {
  const grades = gradesOf(analysis)
  if (grades.length !== outcome.columns)
    return [{ kind: 'columns', column: 0, what: `${grades.length} columns instead of ${outcome.columns}` }]
  const { shown } = observationOf(outcome, warehouse)
  const leaks = shown.flatMap((origins, index) =>
    [...origins]
      .filter(origin => grades[index]?.get(origin) !== 'personal')
      .map((origin): Leak => ({ kind: 'shown', column: index + 1, what: `shows values of ${origin}` })),
  )
  return query.areRowsSteady ? [...leaks, ...(await changes(query, grades, warehouse, onUnjudged))] : leaks
}

/** Changes everything but what a column is said to tell: it must stay as it is. */
async function changes(
  { sql, isPure }: RandomQuery,
  grades: readonly Grades[],
  warehouse: MarkedWarehouse,
  onUnjudged: () => void,
): Promise<readonly Leak[]> {
  const before = await warehouse.runChanged(sql, new Set())
  if (before === undefined) return []
  const told = grades.map(each =>
    [...each].filter(([, grade]) => !isPure || grade === 'personal').map(([origin]) => origin),
  )
  const leaks = new Map<number, Leak>()
  for (const said of differentSets(told).slice(0, mostSets)) {
    const others = new Set(origins(sql).filter(origin => !said.includes(origin)))
    if (others.size === 0) continue
    const changed = await changedBy(warehouse, sql, before, others)
    if (changed === undefined || changed.every(each => !each)) continue
    if (dependsOnWindowOrder(sql)) {
      onUnjudged()
      break
    }
    const [reversed, after] = [await warehouse.runReversed(sql), await warehouse.runChanged(sql, others)]
    if (reversed === undefined || after === undefined) continue
    told.forEach((each, index) => {
      if (!changed[index] || each.some(origin => !said.includes(origin))) return
      if (!isMoreThanOrder(before, reversed, after, index)) return
      const what = `changes with columns other than ${each.join(', ') || 'none'}`
      leaks.set(index, { kind: 'changed', column: index + 1, what })
    })
  }
  return [...leaks.values()]
}

/** The smaller ones first: they say more. */
function differentSets(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const different = new Map(sets.map(set => [[...set].sort().join(), set]))
  return [...different.values()].sort((a, b) => a.length - b.length)
}

/** Those of the tables that it mentions. */
function origins(sql: string): readonly string[] {
  return allOrigins.filter(origin => sql.includes(`@${origin.split('.')[0]}`))
}
