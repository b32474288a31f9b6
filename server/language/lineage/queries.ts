/** The output columns of a query: SELECT, set operations, recursive CTEs. */
import { resolveExpression } from './expressions.ts'
import { resolveFrom } from './from.ts'
import { alsoOf, type Ctes, newScope, type Relation, type Scope } from './scope.ts'
import { resolveSelectList } from './select-list.ts'
import { type Expression, forEachExpression, type Modifier, type QueryNode } from './sql-tree.ts'
import { either, type OutputColumn } from './values.ts'
import type { Walk } from './walk.ts'

export interface Output {
  readonly columns: readonly OutputColumn[]
  /** Set where the query passes on a relation that accepts any name (`SELECT *`). */
  readonly ask?: Relation['ask']
  readonly also?: readonly OutputColumn[]
}

export function resolveQuery(
  walk: Walk,
  node: QueryNode,
  outer: Scope | undefined,
  around: Ctes | undefined,
): Output {
  const output = resolveNode(walk, node, outer, resolveCtes(walk, node, outer, around))
  walk.trace?.outputs.set(node, output)
  return output
}

function resolveNode(walk: Walk, node: QueryNode, outer: Scope | undefined, ctes: Ctes | undefined): Output {
  if (node.type === 'SELECT_NODE') return resolveSelect(walk, node, outer, ctes)
  if (node.type === 'SET_OPERATION_NODE') return resolveSetOperation(walk, node, outer, ctes)
  if (node.type === 'RECURSIVE_CTE_NODE') return resolveRecursive(walk, node, outer, ctes)
  return { columns: [] }
}

function resolveCtes(walk: Walk, node: QueryNode, outer: Scope | undefined, around: Ctes | undefined) {
  let ctes = around
  for (const { key, value } of node.cte_map?.map ?? []) {
    const output = resolveQuery(walk, value.query.node, outer, ctes)
    const columns = renamed(output.columns, value.aliases)
    ctes = { name: key, columns, ask: output.ask, ...alsoOf(output), parent: ctes }
  }
  return ctes
}

/** `k(a, b)`: the first columns take the given names. */
export function renamed(
  columns: readonly OutputColumn[],
  names: readonly string[] | undefined,
): readonly OutputColumn[] {
  if (!names || names.length === 0) return columns
  const given = columns.map((column, index) =>
    names[index] === undefined ? column : { ...column, name: names[index], misspelt: false },
  )
  const more = names.slice(columns.length).map(name => ({ origins: [], direct: false, unknown: false, name }))
  return [...given, ...more]
}

function resolveSelect(
  walk: Walk,
  node: QueryNode,
  outer: Scope | undefined,
  ctes: Ctes | undefined,
): Output {
  const scope = newScope(outer, ctes)
  if (node.from_table) resolveFrom(walk, node.from_table, scope)
  scope.aliases = aliasesOf(node.select_list ?? [])
  if (node.where_clause) resolveExpression(walk, node.where_clause, scope)
  const output = resolveSelectList(walk, node.select_list ?? [], scope)
  for (const expression of node.group_expressions ?? []) resolveExpression(walk, expression, scope)
  if (node.having) resolveExpression(walk, node.having, scope)
  if (node.qualify) resolveExpression(walk, node.qualify, scope)
  resolveModifiers(walk, node.modifiers, scope, output)
  return output
}

function aliasesOf(list: readonly Expression[]): ReadonlyMap<string, Expression> {
  const aliases = new Map<string, Expression>()
  for (const item of list) {
    const key = item.alias?.toLowerCase()
    if (key && !aliases.has(key)) aliases.set(key, item)
  }
  return aliases
}

/** ORDER BY, DISTINCT ON and LIMIT see the output's names first, then what the query sees. */
function resolveModifiers(
  walk: Walk,
  modifiers: readonly Modifier[] | undefined,
  scope: Scope,
  output: Output,
): void {
  if (!modifiers?.length) return
  const inner = newScope(scope, scope.ctes)
  inner.relations.push({ alias: '', columns: output.columns.filter(column => column.name !== undefined) })
  for (const modifier of modifiers)
    forEachExpression(modifier, expression => resolveExpression(walk, expression, inner))
}

function resolveSetOperation(
  walk: Walk,
  node: QueryNode,
  outer: Scope | undefined,
  ctes: Ctes | undefined,
): Output {
  const left = node.left ? resolveQuery(walk, node.left, outer, ctes) : { columns: [] }
  const right = node.right ? resolveQuery(walk, node.right, outer, ctes) : { columns: [] }
  const output = {
    columns: combined(node.setop_type, left, right),
    ask: left.ask ?? right.ask,
    ...alsoOf(left),
  }
  resolveModifiers(walk, node.modifiers, newScope(outer, ctes), output)
  return output
}

function combined(kind: string | undefined, left: Output, right: Output): readonly OutputColumn[] {
  if (kind === 'EXCEPT') return left.columns
  if (kind === 'UNION_BY_NAME') return unionByName(left.columns, right.columns)
  return left.columns.map((column, index) => merged(column, right.columns[index]))
}

function unionByName(left: readonly OutputColumn[], right: readonly OutputColumn[]): readonly OutputColumn[] {
  const key = ({ name }: OutputColumn) => name?.toLowerCase()
  const known = new Set(left.map(key))
  const others = new Map<string | undefined, OutputColumn>()
  for (const column of right) if (!others.has(key(column))) others.set(key(column), column)
  return [
    ...left.map(column => merged(column, others.get(key(column)))),
    ...right.filter(column => !known.has(key(column))),
  ]
}

function merged(column: OutputColumn, other: OutputColumn | undefined): OutputColumn {
  return other ? { ...column, ...either(column, other), name: column.name } : column
}

/** The second look sees what the recursive part added in the first. */
function resolveRecursive(
  walk: Walk,
  node: QueryNode,
  outer: Scope | undefined,
  ctes: Ctes | undefined,
): Output {
  const left = node.left ? resolveQuery(walk, node.left, outer, ctes) : { columns: [] }
  let columns = renamed(left.columns, node.aliases)
  for (let look = 0; look < 2 && node.right; look++) {
    const uses = walk.uses.length
    const own: Ctes = { name: node.cte_name ?? '', columns, ask: left.ask, ...alsoOf(left), parent: ctes }
    const right = resolveQuery(walk, node.right, outer, own)
    if (look === 0) walk.uses.length = uses
    columns = columns.map((column, index) => merged(column, right.columns[index]))
  }
  return { columns, ask: left.ask, ...alsoOf(left) }
}
