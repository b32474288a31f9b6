/** What a query does with marked values, seen by running it: which columns show, which change others. */
import { marksIn } from './find-marks.ts'
import type { MarkedWarehouse, Outcome } from './marked-warehouse.ts'

export interface Observation {
  readonly columns: number
  readonly rows: number
  /** By output column: the origins whose values can be read in it. */
  readonly shown: readonly ReadonlySet<string>[]
}

export function observationOf(outcome: Outcome, warehouse: MarkedWarehouse): Observation {
  const shown = outcome.values.map(values => {
    const found = new Set<string>()
    for (const value of values) for (const origin of marksIn(value, warehouse.marks)) found.add(origin)
    return found
  })
  return { columns: outcome.columns, rows: outcome.values[0]?.length ?? 0, shown }
}

/**
 * The output columns whose values are others than `before` when these origins have other values. Undefined: it cannot be
 * told, because the rows are others too.
 */
export async function changedBy(
  warehouse: MarkedWarehouse,
  sql: string,
  before: Outcome,
  origins: ReadonlySet<string>,
): Promise<readonly boolean[] | undefined> {
  const after = await warehouse.runChanged(sql, origins)
  if (after === undefined || after.columns !== before.columns) return undefined
  if (after.values[0]?.length !== before.values[0]?.length) return undefined
  return before.values.map((values, index) => !sameValues(values, after.values[index] ?? []))
}

/**
 * Whether a change of values is more than another order of rows, on which `list(id)` depends and from which nothing can be
 * told. `reversed`: what came of the same values the other way round. A text whose letters stay the same is in another order.
 */
export function isMoreThanOrder(before: Outcome, reversed: Outcome, after: Outcome, column: number): boolean {
  const [old, turned, now] = [before, reversed, after].map(each => each.values[column] ?? [])
  if (old === undefined || turned === undefined || now === undefined) return false
  if (sameValues(old, turned)) return true
  return sameValues(old.map(letters), turned.map(letters)) && !sameValues(old.map(letters), now.map(letters))
}

const takesRowsAsTheyCome =
  /\b(string_agg|list|array_agg|json_group_array|first|last|any_value|mode|arg_max|arg_min)\(|\bLIMIT\b/i

/**
 * A window puts the rows into an order of its own, by the values that it looks at, and whatever takes rows as they come
 * takes others then: of such a query nothing can be told from its values.
 */
export function dependsOnWindowOrder(sql: string): boolean {
  return /\bOVER\b/i.test(sql) && takesRowsAsTheyCome.test(sql)
}

function letters(value: string): string {
  return [...value].sort().join('')
}

function sameValues(before: readonly string[], after: readonly string[]): boolean {
  if (before.every((value, index) => value === after[index])) return true
  const [first, second] = [[...before].sort(), [...after].sort()]
  return first.every((value, index) => value === second[index])
}
