/** The columns of PIVOT (with given values) and UNPIVOT. */
import { resolveExpression } from './expressions.ts'
import { resolveFrom } from './from.ts'
import { newScope, type Scope, starColumns } from './scope.ts'
import type { Expression, PivotColumn, TableNode } from './sql-tree.ts'
import { constantValue, derivedFrom, type OutputColumn, type Value } from './values.ts'
import type { Walk } from './walk.ts'

export function addPivot(walk: Walk, node: TableNode, scope: Scope): void {
  const inner = newScope(scope, scope.ctes)
  if (node.source) resolveFrom(walk, node.source, inner)
  const columns = node.unpivot_names?.length ? unpivoted(walk, node, inner) : pivoted(walk, node, inner)
  const ask = inner.relations.find(relation => relation.ask)?.ask
  const names = node.column_name_alias ?? []
  const named = columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }))
  scope.relations.push({ alias: node.alias ?? '', node, columns: named, ask })
}

function pivoted(walk: Walk, node: TableNode, inner: Scope): OutputColumn[] {
  const used = new Set<string>()
  const aggregates = (node.aggregates ?? []).map(expression => {
    noteNames(expression, used)
    return { ...resolveExpression(walk, expression, inner), name: expression.alias || '' }
  })
  const keys = (node.pivots ?? []).map(pivot => pivotValue(walk, pivot, inner, used))
  const groups = node.groups?.length
    ? node.groups.map(
        name => starColumns(inner).find(column => sameName(column.name, name)) ?? { ...constantValue, name },
      )
    : starColumns(inner).filter(column => !used.has(column.name?.toLowerCase() ?? ''))
  const labels = (node.pivots ?? []).reduce<string[]>((left, pivot) => crossed(left, pivot), [''])
  const cells = labels.flatMap(label =>
    aggregates.map(aggregate => ({
      ...derivedFrom([aggregate, ...keys]),
      direct: false,
      name: cellName(label, aggregate, aggregates.length),
    })),
  )
  return [...groups, ...cells]
}

function cellName(label: string, aggregate: OutputColumn, count: number): string | undefined {
  if (aggregate.name) return `${label}_${aggregate.name}`
  return count === 1 ? label : undefined
}

function pivotValue(walk: Walk, pivot: PivotColumn, inner: Scope, used: Set<string>): Value {
  const expressions = pivot.pivot_expressions ?? []
  for (const expression of expressions) noteNames(expression, used)
  return derivedFrom(expressions.map(expression => resolveExpression(walk, expression, inner)))
}

function crossed(left: readonly string[], pivot: PivotColumn): string[] {
  const labels = (pivot.entries ?? []).map(
    entry => entry.alias || (entry.values ?? []).map(value => String(value.value)).join('_'),
  )
  return left.flatMap(before => labels.map(label => (before ? `${before}_${label}` : label)))
}

function noteNames(expression: Expression, names: Set<string>): void {
  const name = expression.column_names?.at(-1)
  if (name) names.add(name.toLowerCase())
  for (const child of expression.children ?? []) noteNames(child, names)
}

function unpivoted(walk: Walk, node: TableNode, inner: Scope): OutputColumn[] {
  const all = starColumns(inner)
  const pivot = node.pivots?.[0]
  const stars = (pivot?.entries ?? []).flatMap(entry => entry.star_expr ?? [])
  for (const star of stars) resolveExpression(walk, star, inner)
  const named = new Set(
    (pivot?.entries ?? []).flatMap(entry =>
      (entry.values ?? []).map(value => String(value.value).toLowerCase()),
    ),
  )
  const excluded = new Set(stars.flatMap(star => (star.exclude_list ?? []).map(name => name.toLowerCase())))
  const isEntry = (column: OutputColumn): boolean => {
    const name = column.name?.toLowerCase() ?? ''
    return stars.length > 0 ? !excluded.has(name) : named.has(name)
  }
  const value: Value = { ...derivedFrom(all.filter(isEntry)), direct: false }
  const names = (pivot?.unpivot_names ?? []).map(name => ({ ...constantValue, name }))
  return [
    ...all.filter(column => !isEntry(column)),
    ...names,
    ...(node.unpivot_names ?? []).map(name => ({ ...value, name })),
  ]
}

function sameName(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase()
}
