/** What FROM brings into scope. */
import { resolveExpression } from './expressions.ts'
import { addPivot } from './pivot.ts'
import { renamed, resolveQuery } from './queries.ts'
import { alsoOf, findColumn, findCte, type Relation, type Scope } from './scope.ts'
import { type Expression, forEachExpression, type TableNode } from './sql-tree.ts'
import { derivedFrom, either, type OutputColumn, type Value } from './values.ts'
import type { Walk } from './walk.ts'

export function resolveFrom(walk: Walk, node: TableNode, scope: Scope): void {
  walk.trace?.tables.set(node, scope)
  const add = adders[node.type] ?? addOther
  add(walk, node, scope)
}

const adders: Readonly<Record<string, (walk: Walk, node: TableNode, scope: Scope) => void>> = {
  BASE_TABLE: (walk, node, scope) => scope.relations.push(baseTable(walk, node, scope)),
  SUBQUERY: (walk, node, scope) => addSubquery(walk, node, scope),
  JOIN: (walk, node, scope) => addJoin(walk, node, scope),
  TABLE_FUNCTION: (walk, node, scope) => scope.relations.push(tableFunction(walk, node, scope)),
  EXPRESSION_LIST: (walk, node, scope) => addValues(walk, node, scope),
  PIVOT: (walk, node, scope) => addPivot(walk, node, scope),
}

function baseTable(walk: Walk, node: TableNode, scope: Scope): Relation {
  const name = node.table_name ?? ''
  const alias = node.alias || name
  const cte = node.schema_name ? undefined : findCte(scope.ctes, name)
  if (cte)
    return {
      alias,
      columns: renamed(cte.columns, node.column_name_alias),
      ask: cte.ask,
      ...alsoOf(cte),
      node,
    }
  const shape = walk.lookUp(node.schema_name ?? '', name)
  const columns = renamed(shape?.columns ?? [], node.column_name_alias)
  const schema = node.schema_name && !node.alias ? { schema: node.schema_name } : {}
  return { alias, ...schema, columns, ask: shape?.ask, ...alsoOf(shape), node }
}

/** A subquery sees its left neighbours: it may be lateral. */
function addSubquery(walk: Walk, node: TableNode, scope: Scope): void {
  if (!node.subquery) return
  const neighbours = { ...scope, relations: [...scope.relations], merged: new Map(scope.merged) }
  const output = resolveQuery(walk, node.subquery.node, neighbours, scope.ctes)
  const columns = renamed(output.columns, node.column_name_alias)
  scope.relations.push({ alias: node.alias ?? '', columns, ask: output.ask, ...alsoOf(output), node })
}

function addJoin(walk: Walk, node: TableNode, scope: Scope): void {
  const start = scope.relations.length
  if (node.left) resolveFrom(walk, node.left, scope)
  const middle = scope.relations.length
  if (node.right) resolveFrom(walk, node.right, scope)
  const left = scope.relations.slice(start, middle)
  const right = scope.relations.slice(middle)
  const names = node.ref_type === 'NATURAL' ? commonNames(left, right) : (node.using_columns ?? [])
  for (const name of names) mergeColumn(scope, name, left, right, node.join_type ?? 'INNER')
  if (node.condition) resolveExpression(walk, node.condition, scope)
  if (node.join_type === 'SEMI' || node.join_type === 'ANTI')
    for (const relation of right) relation.hidden = true
}

function commonNames(left: readonly Relation[], right: readonly Relation[]): readonly string[] {
  const names = new Set(left.flatMap(relation => relation.columns.flatMap(column => column.name ?? [])))
  return [...names].filter(name => right.some(relation => findColumn(relation, name)))
}

/** USING: one column in place of two; which of them gives the value depends on the kind of join. */
function mergeColumn(
  scope: Scope,
  name: string,
  left: readonly Relation[],
  right: readonly Relation[],
  joinType: string,
): void {
  const before = scope.merged.get(name.toLowerCase())
  const inLeft = before?.column ?? columnAmong(left, name)
  const inRight = columnAmong(right, name)
  if (!inLeft || !inRight) return
  const both = { ...either(inLeft, inRight), direct: inLeft.direct && inRight.direct, name: inLeft.name }
  const column = joinType === 'OUTER' || joinType === 'FULL' ? both : joinType === 'RIGHT' ? inRight : inLeft
  const holders = [...left, ...right].filter(relation => findColumn(relation, name))
  scope.merged.set(name.toLowerCase(), { column, members: [...(before?.members ?? []), ...holders] })
}

function columnAmong(relations: readonly Relation[], name: string): OutputColumn | undefined {
  for (const relation of relations) {
    const column = findColumn(relation, name)
    if (column) return column
  }
  const open = relations.find(relation => relation.ask)
  return open?.ask?.(name)
}

/** The columns of a table function rest on its arguments; which they are only the binder knows. */
function tableFunction(walk: Walk, node: TableNode, scope: Scope): Relation {
  const call = node.function
  const values: Value[] = []
  if (call) forEachExpression(call, argument => values.push(resolveExpression(walk, argument, scope)))
  const value: Value = { ...derivedFrom(values), direct: false }
  const alias = node.alias || (call?.function_name ?? '')
  const names = node.column_name_alias ?? []
  const columns = names.map(name => ({ ...value, name }))
  return { alias, node, columns: names.length > 0 ? columns : [{ ...value, name: undefined, spread: true }] }
}

function addValues(walk: Walk, node: TableNode, scope: Scope): void {
  const rows = (node.values ?? []).map(row =>
    row.map(expression => resolveExpression(walk, expression, scope)),
  )
  const columns = (rows[0] ?? []).map((_, index) => ({
    ...derivedFrom(rows.flatMap(row => row[index] ?? [])),
    direct: false,
    name: `col${index}`,
  }))
  scope.relations.push({ alias: node.alias ?? '', node, columns: renamed(columns, node.column_name_alias) })
}

/** FROM of a kind with columns of its own (DESCRIBE, SUMMARIZE): nothing is known of them here. */
function addOther(walk: Walk, node: TableNode, scope: Scope): void {
  if (node.type === 'EMPTY') return
  forEachExpression(node, (expression: Expression) => resolveExpression(walk, expression, scope))
  const column: OutputColumn = { origins: [], direct: false, unknown: false, name: undefined, spread: true }
  scope.relations.push({ alias: node.alias ?? '', columns: [column] })
}
