/** The output columns of a select list, stars expanded. */
import { boundedPattern } from '../text/bounded-pattern.ts'
import { resolveExpression } from './expressions.ts'
import type { Output } from './queries.ts'
import { alsoOf, findRelation, type Relation, type Scope, starColumns } from './scope.ts'
import { type Expression, forEachExpression } from './sql-tree.ts'
import { constantValue, derivedFrom, type OutputColumn, unknownValue, type Value } from './values.ts'
import type { Walk } from './walk.ts'

export function resolveSelectList(walk: Walk, list: readonly Expression[], scope: Scope): Output {
  const columns: OutputColumn[] = []
  const also: OutputColumn[] = []
  let ask: Relation['ask']
  for (const item of list) {
    const star = starIn(item)
    const mended = walk.mended.get(item)
    if (mended) also.push(...mended.names.map(name => ({ ...unknownValue, name })))
    if (mended?.kind === 'columns') ask ??= name => ({ ...unknownValue, name })
    if (star) ask ??= askOf(star, scope)
    if (star) also.push(...starred(star, scope).flatMap(relation => relation.also ?? []))
    columns.push(...(star ? expand(walk, item, star, scope) : [single(walk, item, scope)]))
  }
  return { columns, ask, ...alsoOf({ also }) }
}

function single(walk: Walk, item: Expression, scope: Scope): OutputColumn {
  const value = resolveExpression(walk, item, scope)
  const name = item.alias || (item.type === 'COLUMN_REF' ? item.column_names?.at(-1) : undefined)
  const spread = item.function_name?.toLowerCase() === 'unnest' && item.alias !== '' ? { spread: true } : {}
  const misspelt = walk.mended.get(item)?.names.length ? { misspelt: true } : {}
  return { ...value, name, ...spread, ...misspelt }
}

/** The star that makes several columns of one item: `*`, `t.*`, or COLUMNS(…) anywhere inside. */
function starIn(item: Expression): Expression | undefined {
  if (item.type === 'STAR') return item
  if (item.type === 'COLUMN_REF' || item.type === 'VALUE_CONSTANT' || item.type === 'SUBQUERY')
    return undefined
  let found: Expression | undefined
  forEachExpression(item, child => {
    found ??= starIn(child)
  })
  return found
}

function askOf(star: Expression, scope: Scope): Relation['ask'] {
  return starred(star, scope).find(relation => relation.ask)?.ask
}

function starred(star: Expression, scope: Scope): readonly Relation[] {
  if (!star.relation_name) return scope.relations.filter(relation => !relation.hidden)
  const relation = findRelation(scope, star.relation_name)
  return relation ? [relation] : []
}

function expand(walk: Walk, item: Expression, star: Expression, scope: Scope): OutputColumn[] {
  walk.trace?.scopes.set(star, scope)
  const chosen = chosenColumns(walk, star, scope)
  if (item === star) return chosen
  const values: Value[] = []
  forEachExpression(item, child => {
    if (starIn(child) === undefined) values.push(resolveExpression(walk, child, scope))
  })
  return chosen.map(column => ({
    ...derivedFrom([column, ...values]),
    direct: false,
    name: item.alias || column.name,
  }))
}

function chosenColumns(walk: Walk, star: Expression, scope: Scope): OutputColumn[] {
  const all = starColumns(scope, star.relation_name)
  const change = changesOf(star)
  const kept = all.flatMap(column => {
    const name = column.name?.toLowerCase() ?? ''
    if (change.excluded.has(name)) return []
    const replaced = change.replaced.get(name)
    if (replaced) return [{ ...resolveExpression(walk, replaced, scope), name: column.name }]
    const renamed = change.renamed.get(name)
    return [renamed === undefined ? column : { ...column, name: renamed }]
  })
  return star.expr ? matching(star.expr, kept) : kept
}

/** EXCLUDE, REPLACE (… AS name) and RENAME (old AS new), by the name of the column in lower case. */
function changesOf(star: Expression) {
  const { exclude_list = [], qualified_exclude_list = [], replace_list = [], rename_list = [] } = star
  const excluded = [...exclude_list, ...qualified_exclude_list.map(entry => entry.column)]
  return {
    excluded: new Set(excluded.map(name => name.toLowerCase())),
    replaced: firstOfEach(replace_list.map(({ key, value }) => [key.toLowerCase(), value] as const)),
    renamed: firstOfEach(rename_list.map(({ key, value }) => [key.column.toLowerCase(), value] as const)),
  }
}

function firstOfEach<T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  return new Map([...entries].reverse())
}

/** COLUMNS('regex'), COLUMNS(['a', 'b']); a lambda's choice only the binder knows. */
function matching(chooser: Expression, columns: OutputColumn[]): OutputColumn[] {
  if (chooser.type === 'VALUE_CONSTANT') {
    const pattern = boundedPattern(String(chooser.value?.value ?? ''))
    return pattern ? columns.filter(column => column.name !== undefined && pattern(column.name)) : columns
  }
  if (chooser.function_name !== 'list_value') return columns.map(column => ({ ...column, spread: true }))
  return (chooser.children ?? []).map(child => {
    const name = child.column_names?.at(-1) ?? String(child.value?.value ?? '')
    return (
      columns.find(column => column.name?.toLowerCase() === name.toLowerCase()) ?? { ...constantValue, name }
    )
  })
}
