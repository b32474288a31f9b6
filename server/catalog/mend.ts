/** Puts what is wrong out of the way, so that the binder comes to the next error. */
import { findCte } from '../language/lineage/scope.ts'
import type { Expression, QueryNode, TableNode } from '../language/lineage/sql-tree.ts'
import type { BindError } from './bind-error.ts'
import { privateTables } from './bound.ts'
import type { Treatment } from './diagnose.ts'
import { assetRelation, placeholder, privateRelation, type RelationName, relationKey } from './relations.ts'
import { openShape, type Shape } from './shape.ts'
import {
  nodeAt,
  type PlacedNode,
  placedNodes,
  removeAt,
  replaceAt,
  type TreeNode,
  type TreePath,
} from './tree-paths.ts'

/** False: there is no way to go on. `meant`: the names offered in place of a wrong one, best first. */
export async function mend(
  treatment: Treatment,
  error: BindError,
  culprit: PlacedNode,
  meant: readonly string[],
): Promise<boolean> {
  const { node, path } = culprit
  if (node['type'] === 'BASE_TABLE' || node['type'] === 'TABLE_FUNCTION' || node['type'] === 'PIVOT')
    return mendTable(treatment, culprit, meant[0])
  if (/duplicate alias/.test(error.message)) return false
  if (/QUALIFY clause/.test(error.message)) return delete node['qualify']
  if (node['type'] === 'JOIN') return mendJoin(node, error)
  if (node['type'] === 'SET_OPERATION_NODE' || node['type'] === 'RECURSIVE_CTE_NODE')
    return mendWidths(treatment, node)
  if (node['type'] === 'STAR') return mendStar(treatment, culprit, error)
  if (!('class' in node)) return false
  if (takeQualifier(treatment, node, meant[0])) return true
  const outer = accessAround(treatment, path)
  if (outer) return mend(treatment, error, outer, [])
  if (isSortKey(path)) return removeSortKey(treatment, path)
  if (path.includes('pivot_expressions') && node['type'] === 'COLUMN_REF')
    return mendPivotKey(treatment, node)
  const isCall =
    error.missing !== undefined && error.missing !== 'Type' && node['function_name'] !== undefined
  replaceAt(
    treatment.tree,
    path,
    isCall
      ? await callWithoutFunction(treatment, culprit, meant[0])
      : mendedValue(treatment, node, path, meant),
  )
  return true
}

/** `x[1]`, `(x).a`: a constant cannot stand before brackets, so the whole access goes. */
function accessAround(treatment: Treatment, path: TreePath): PlacedNode | undefined {
  if (path.at(-2) !== 'children' || path.at(-1) !== 0) return undefined
  const outer = path.slice(0, -2)
  const node = nodeAt(treatment.tree, outer) as TreeNode
  return /^(ARRAY_EXTRACT|ARRAY_SLICE|STRUCT_EXTRACT)$/.test(String(node['type']))
    ? { path: outer, node }
    : undefined
}

/** A misspelt qualifier is put right: the column behind it may be wrong too. */
function takeQualifier(treatment: Treatment, node: TreeNode, meant: string | undefined): boolean {
  const names = node['column_names']
  const isQualifier = treatment.findings.at(-1)?.code === 'sql-unknown-table'
  if (!isQualifier || meant === undefined || !Array.isArray(names) || names.length < 2) return false
  node['column_names'] = [meant, ...names.slice(1)]
  return true
}

/** PIVOT needs a column: any will do. */
function mendPivotKey(treatment: Treatment, node: TreeNode): boolean {
  const scope = treatment.resolution.trace?.scopes.get(node as unknown as Expression)
  const name = scope?.relations[0]?.columns[0]?.name
  if (name === undefined) return false
  node['column_names'] = [name]
  return true
}

/** An output column without alias is called as the column was meant to be. */
function mendedValue(
  treatment: Treatment,
  node: TreeNode,
  path: TreePath = [],
  meant: readonly string[] = [],
): TreeNode {
  const constant = nullConstant(node, path)
  treatment.mended.set(constant, { kind: 'value', names: node['alias'] ? [] : meant })
  return constant
}

/** An output column keeps its name; elsewhere an alias would be taken for the name of an argument. */
export function nullConstant(node: TreeNode, path: TreePath): TreeNode {
  const value = { type: { id: 'NULL', type_info: null }, is_null: true }
  const alias = node['alias'] || (path.at(-2) === 'select_list' ? ownName(node) : '')
  return { class: 'CONSTANT', type: 'VALUE_CONSTANT', alias, query_location: node['query_location'], value }
}

function ownName(node: TreeNode): string {
  const names = node['column_names']
  const name = Array.isArray(names) ? names.at(-1) : node['is_operator'] ? undefined : node['function_name']
  return String(name ?? '')
}

/**
 * The arguments of an unknown function are still looked at: CASE WHEN row(a, b) IS NULL THEN NULL END. Where an
 * aggregate was meant, they stand in one.
 */
async function callWithoutFunction(
  treatment: Treatment,
  { node, path }: PlacedNode,
  meant: string | undefined,
): Promise<TreeNode> {
  const lists = [node['children'], node['partitions']].flatMap(list => (Array.isArray(list) ? list : []))
  const orders = [node['orders'], (node['order_bys'] as TreeNode | undefined)?.['orders']]
  const sorted = orders.flatMap(list =>
    Array.isArray(list) ? list.map((each: TreeNode) => each['expression']) : [],
  )
  const filter = [node['filter'], node['filter_expr']].filter(each => each !== undefined && each !== null)
  const kept = [...lists, ...sorted, ...filter].filter(child => isPlainArgument(child as TreeNode))
  if (kept.length === 0) return mendedValue(treatment, node, path)
  const { aggregates } = await treatment.names.functions()
  const isAggregate =
    node['type'] === 'FUNCTION' && aggregates.has(meant ?? '') && !kept.some(holdsCallOf(aggregates))
  const fields = { ...emptyCall, function_name: 'row', children: kept }
  const row = isAggregate ? { ...emptyCall, function_name: 'any_value', children: [fields] } : fields
  const test = { class: 'OPERATOR', type: 'OPERATOR_IS_NULL', alias: '', children: [row] }
  const nothing = mendedValue(treatment, {})
  const otherwise = mendedValue(treatment, {})
  const checks = [{ when_expr: test, then_expr: nothing }]
  const call = {
    class: 'CASE',
    type: 'CASE_EXPR',
    alias: nullConstant(node, path)['alias'],
    case_checks: checks,
    else_expr: otherwise,
  }
  treatment.mendedCalls.add(call)
  return call
}

/** Aggregates do not stand in each other. */
function holdsCallOf(names: ReadonlySet<string>): (node: unknown) => boolean {
  return node =>
    placedNodes(node).some(
      placed => placed.node['type'] === 'FUNCTION' && names.has(String(placed.node['function_name'])),
    )
}

const emptyCall = {
  class: 'FUNCTION',
  type: 'FUNCTION',
  alias: '',
  schema: '',
  filter: null,
  order_bys: { type: 'ORDER_MODIFIER', orders: [] },
  distinct: false,
  is_operator: false,
  export_state: false,
  catalog: '',
}

function isPlainArgument(node: TreeNode): boolean {
  return node['type'] !== 'STAR' && node['type'] !== 'LAMBDA'
}

// ---------------------------------------------------------------- sort keys

/** A constant is no sort key: the item goes away. */
function isSortKey(path: TreePath): boolean {
  return path.at(-1) === 'expression' || path.at(-2) === 'distinct_on_targets'
}

function removeSortKey(treatment: Treatment, path: TreePath): boolean {
  const itemPath = path.at(-1) === 'expression' ? path.slice(0, -1) : path
  removeAt(treatment.tree, itemPath)
  const list = nodeAt(treatment.tree, itemPath.slice(0, -1)) as unknown[]
  const modifierPath = itemPath.slice(0, -2)
  if (list.length === 0 && modifierPath.at(-2) === 'modifiers') removeAt(treatment.tree, modifierPath)
  return true
}

// ---------------------------------------------------------------- tables

async function mendTable(
  treatment: Treatment,
  { node, path }: PlacedNode,
  suggestion: string | undefined,
): Promise<boolean> {
  const scope = treatment.resolution.trace?.tables.get(node as unknown as TableNode)
  const alias = aliasOf(treatment, node, suggestion)
  if (suggestion !== undefined && findCte(scope?.ctes, suggestion)) {
    replaceAt(treatment.tree, path, {
      ...baseTable(node, { schema: '', table: suggestion }, alias),
      ...aliases(node),
    })
    return true
  }
  const shape =
    suggestion === undefined
      ? undefined
      : treatment.names.shapeOf(suggestion, treatment.patient.statement.reader)
  const relation = addInput(treatment, suggestion, shape, node, path)
  const kept = shape === undefined ? {} : aliases(node)
  replaceAt(treatment.tree, path, { ...baseTable(node, relation, alias), ...kept })
  await treatment.names.ensure(relation)
  await treatment.binder.run(privateTables(treatment.patient.statement, treatment.query))
  return true
}

/** Without alias, columns may be qualified by the wrong name or by the right one, which is believed where both are. */
function aliasOf(treatment: Treatment, node: TreeNode, suggestion: string | undefined): string {
  const name = String(node['table_name'] ?? '')
  if (node['alias']) return String(node['alias'])
  if (suggestion === undefined) return name
  const isUsed = (word: string): boolean =>
    placedNodes(treatment.tree).some(placed => qualifierOf(placed.node).toLowerCase() === word.toLowerCase())
  return isUsed(name) && !isUsed(suggestion) ? name : suggestion
}

function qualifierOf(node: TreeNode): string {
  const names = node['column_names']
  return String((Array.isArray(names) && names.length > 1 ? names[0] : node['relation_name']) ?? '')
}

/** The asset that was meant, or a table that has whatever is asked of it. */
function addInput(
  treatment: Treatment,
  suggestion: string | undefined,
  shape: Shape | undefined,
  node: TreeNode,
  path: TreePath,
): RelationName {
  const isKnown = suggestion !== undefined && shape?.complete === true
  const table = suggestion ?? `svc stub ${path.join('.')}`
  const relation = isKnown
    ? assetRelation(suggestion)
    : privateRelation(treatment.patient.statement.reader, table)
  const label = suggestion ?? String(node['table_name'] ?? '')
  treatment.patient.statement.inputs.set(relationKey(relation.schema, relation.table), {
    label,
    key: label,
    relation,
    shape: shape ?? stubShape(node),
    isPrivate: !isKnown,
    asked: new Map(),
    askedForFields: new Set(),
    origin: column => ({ asset: label, column }),
  })
  return relation
}

/** `t(a, b)` names columns that the stub must have. */
function stubShape(node: TreeNode): Shape {
  const names = Array.isArray(node['column_name_alias']) ? (node['column_name_alias'] as string[]) : []
  const columns = names.map(name => ({ name, type: undefined }))
  return {
    ...openShape,
    columns,
    values: names.map(name => ({ name, origins: [], direct: false, unknown: true })),
  }
}

function aliases(node: TreeNode): TreeNode {
  return { column_name_alias: node['column_name_alias'] ?? [] }
}

function baseTable(node: TreeNode, relation: RelationName, alias: string): TreeNode {
  return {
    type: 'BASE_TABLE',
    alias,
    sample: null,
    query_location: node['query_location'],
    schema_name: relation.schema,
    table_name: relation.table,
    column_name_alias: [],
    catalog_name: '',
    at_clause: null,
  }
}

/** The column that one side lacks goes away; a join without any condition left becomes a cross join. */
function mendJoin(node: TreeNode, error: BindError): boolean {
  if (/ASOF/.test(error.message)) {
    node['ref_type'] = 'REGULAR'
    return true
  }
  const name = /^Column "((?:[^"]|"")*)"/.exec(error.message)?.[1]?.toLowerCase()
  const before = Array.isArray(node['using_columns']) ? (node['using_columns'] as string[]) : []
  const using = before.filter(column => column.toLowerCase() !== name)
  node['using_columns'] = using
  if (using.length === 0) {
    node['ref_type'] = 'CROSS'
    node['join_type'] = 'INNER'
    delete node['condition']
  }
  return true
}

// ---------------------------------------------------------------- stars and set operations

/** What EXCLUDE, REPLACE or RENAME names wrongly goes out of its list; else the star itself does. */
function mendStar(treatment: Treatment, { node, path }: PlacedNode, error: BindError): boolean {
  const name = /"((?:[^"]|"")*)"/.exec(error.message)?.[1]?.toLowerCase() ?? ''
  if (/in (EXCLUDE|REPLACE|RENAME) list/.test(error.message)) {
    for (const key of starLists) dropNamed(node, key, name)
    return true
  }
  const constant = nullConstant({ ...node, alias: placeholder }, path)
  treatment.mended.set(constant, { kind: 'columns', names: [] })
  replaceAt(treatment.tree, path, constant)
  return true
}

const starLists = ['exclude_list', 'qualified_exclude_list', 'replace_list', 'rename_list'] as const

function dropNamed(node: TreeNode, key: string, name: string): void {
  const list = node[key]
  if (!Array.isArray(list)) return
  node[key] = list.filter((item: string | TreeNode) => starItemName(item).toLowerCase() !== name)
}

function starItemName(item: string | TreeNode): string {
  if (typeof item === 'string') return item
  const key = item['key']
  return String(
    item['column'] ?? (typeof key === 'object' && key !== null ? (key as TreeNode)['column'] : key) ?? '',
  )
}

/** The narrower side gets NULLs for what it lacks. */
function mendWidths(treatment: Treatment, node: TreeNode): boolean {
  const width = (side: unknown): number =>
    treatment.resolution.trace?.outputs.get(side as QueryNode)?.columns.length ?? 0
  const missing = width(node['left']) - width(node['right'])
  const list = (node[missing > 0 ? 'right' : 'left'] as TreeNode)['select_list']
  if (missing === 0 || !Array.isArray(list)) return false
  for (let count = Math.abs(missing); count > 0; count--) list.push(mendedValue(treatment, {}))
  return true
}
