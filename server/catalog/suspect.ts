/** Which node of the tree an error of the binder is about. */
import { type Expression, locationOf, type QueryNode } from '../language/lineage/sql-tree.ts'
import type { BindError } from './bind-error.ts'
import type { Treatment } from './diagnose.ts'
import { quotedIn } from './phrases.ts'
import { isTreeNode, type PlacedNode, placedNodes, type TreeNode } from './tree-paths.ts'

/** `here`: the nodes that begin where the error says; none where it says nothing. */
export function suspect(
  treatment: Treatment,
  error: BindError,
  here: readonly PlacedNode[],
): PlacedNode | undefined {
  const fits = fitting(error)
  const among = here.length > 0 ? here : placedNodes(treatment.tree)
  const found = fits && among.find(({ node }) => fits(node, treatment) && !treatment.mended.has(node))
  if (found) return found
  const table = here.find(({ node }) => node['type'] === 'TABLE_FUNCTION')
  return table ?? here.find(({ node }) => isExpression(node) || isJoin(node)) ?? here[0]
}

type Fits = (node: TreeNode, treatment: Treatment) => boolean

function fitting(error: BindError): Fits | undefined {
  if (error.missing !== undefined) return fittingMissing(error.missing, error.name ?? '')
  if (error.call !== undefined) {
    const name = error.call.slice(0, error.call.indexOf('('))
    return node => sameText(node['function_name'], name) || isExtract(node, name)
  }
  return rules
    .map(([pattern, make]) => [pattern.exec(error.message), make] as const)
    .find(([match]) => match)?.[1](error.message, quotedName(error.message))
}

function fittingMissing(missing: string, name: string): Fits | undefined {
  if (missing === 'Table' || missing === 'View')
    return node => node['type'] === 'BASE_TABLE' && sameText(node['table_name'], name)
  if (missing === 'Table Function') return node => node['type'] === 'TABLE_FUNCTION'
  if (missing === 'Type')
    return node => isCast(node) && JSON.stringify(node['cast_type']).includes(JSON.stringify(name))
  return node => sameText(node['function_name'], name)
}

type Make = (message: string, name: string) => Fits

/** Errors without a usable place, by what they say. */
const rules: readonly (readonly [RegExp, Make])[] = [
  [
    /^Referenced column|does not have a column named/,
    message => node => namesAll(node, quotedIn(message.split('\n')[0] ?? '')),
  ],
  [/^Referenced table/, (_, name) => node => isQualifiedBy(node, name)],
  [/^Ambiguous reference to column/, () => node => node['type'] === 'COLUMN_REF'],
  [
    /must appear in the GROUP BY/,
    (_, name) => node => node['type'] === 'COLUMN_REF' && lastNameOf(node, name),
  ],
  [/does not exist on (left|right) side of join/, (_, name) => node => listHas(node['using_columns'], name)],
  [
    /in EXCLUDE list not found/,
    (_, name) => node => listHas(node['exclude_list'], name) || isExcluded(node, name),
  ],
  [/in REPLACE list not found/, (_, name) => node => isReplaced(node, name)],
  [/in RENAME list not found/, (_, name) => node => isRenamed(node, name)],
  [
    /^Could not find key/,
    (_, name) => (node, treatment) => readsField(node, name) && !isPlainColumn(node, treatment),
  ],
  [
    /^Cannot extract field/,
    message => (node, treatment) =>
      readsField(node, /field '([^']*)'/.exec(message)?.[1] ?? '') && !isPlainColumn(node, treatment),
  ],
  [/^Set operations can only apply/, () => (node, treatment) => hasUnequalSides(node, treatment)],
  [/file system operations are disabled/, (_, name) => node => sameText(node['table_name'], name)],
  [/in COALESCE operator/, () => node => node['type'] === 'OPERATOR_COALESCE'],
  [/ASOF/, () => node => node['ref_type'] === 'ASOF'],
  [/QUALIFY clause/, () => node => isTreeNode(node['qualify'])],
  [
    /duplicate alias/,
    message => node => isSecond(node, /duplicate alias "([^"]*)"/.exec(message)?.[1] ?? ''),
  ],
  [/in CASE expression/, () => node => node['type'] === 'CASE_EXPR'],
]

/** The table whose alias an earlier one has already: the search goes on from its right neighbour. */
function isSecond(node: TreeNode, alias: string): boolean {
  const name = node['alias'] || node['table_name']
  return (
    node['type'] === 'JOIN' &&
    isTreeNode(node['right']) &&
    sameText(node['right']['alias'] || node['right']['table_name'], alias) &&
    name !== alias
  )
}

function isExpression(node: TreeNode): boolean {
  return 'class' in node
}

function isJoin(node: TreeNode): boolean {
  return node['type'] === 'JOIN' || node['type'] === 'PIVOT'
}

function isCast(node: TreeNode): boolean {
  return node['type'] === 'OPERATOR_CAST' && locationOf(node) !== undefined
}

function isExtract(node: TreeNode, name: string): boolean {
  return name === 'array_extract' && node['type'] === 'ARRAY_EXTRACT'
}

function sameText(value: unknown, name: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === name.toLowerCase()
}

function quotedName(message: string): string {
  return /"((?:[^"]|"")*)"/.exec(message)?.[1] ?? ''
}

function namesOf(node: TreeNode): readonly string[] {
  return node['type'] === 'COLUMN_REF' && Array.isArray(node['column_names'])
    ? (node['column_names'] as string[])
    : []
}

/** A column reference that has every one of the names. */
function namesAll(node: TreeNode, wanted: readonly string[]): boolean {
  const names = namesOf(node)
  return names.length > 0 && wanted.every(name => names.some(each => sameText(each, name)))
}

function isQualifiedBy(node: TreeNode, name: string): boolean {
  const names = namesOf(node)
  return (
    (names.length > 1 && sameText(names[0], name)) ||
    (node['type'] === 'STAR' && sameText(node['relation_name'], name))
  )
}

function lastNameOf(node: TreeNode, name: string): boolean {
  return sameText(namesOf(node).at(-1), name)
}

function listHas(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.some(item => sameText(item, name))
}

function isExcluded(node: TreeNode, name: string): boolean {
  const list = node['qualified_exclude_list']
  return Array.isArray(list) && list.some((item: TreeNode) => sameText(item['column'], name))
}

function isReplaced(node: TreeNode, name: string): boolean {
  const list = node['replace_list']
  return Array.isArray(list) && list.some((item: TreeNode) => sameText(item['key'], name))
}

function isRenamed(node: TreeNode, name: string): boolean {
  const list = node['rename_list']
  return Array.isArray(list) && list.some((item: { key?: TreeNode }) => sameText(item.key?.['column'], name))
}

/** `a.key`, `a['key']` or `(a).key`. */
function readsField(node: TreeNode, name: string): boolean {
  if (namesOf(node).length > 1)
    return namesOf(node)
      .slice(1)
      .some(each => sameText(each, name))
  const isRead =
    node['type'] === 'ARRAY_EXTRACT' ||
    node['type'] === 'STRUCT_EXTRACT' ||
    sameText(node['function_name'], 'struct_extract')
  const last = Array.isArray(node['children'])
    ? (node['children'].at(-1) as { value?: TreeNode } | undefined)
    : undefined
  return isRead && sameText(last?.value?.['value'], name)
}

/** A column of known type whose name ends there has no field read of it. */
function isPlainColumn(node: TreeNode, treatment: Treatment): boolean {
  const reference = node as unknown as Expression
  const trace = treatment.resolution.trace
  if (namesOf(node).length === 0 || trace?.values.get(reference)?.unknown !== false) return false
  return trace.parts.get(reference) === namesOf(node).length - 1
}

function hasUnequalSides(node: TreeNode, treatment: Treatment): boolean {
  if (node['type'] !== 'SET_OPERATION_NODE' && node['type'] !== 'RECURSIVE_CTE_NODE') return false
  const outputs = treatment.resolution.trace?.outputs
  const left = outputs?.get(node['left'] as QueryNode)
  const right = outputs?.get(node['right'] as QueryNode)
  return left?.columns.length !== right?.columns.length
}
