/** Lists the nodes of a statement's tree with their places and their parents. */
import type { Between, Cast, Expression, InList, Query, Select } from '../../language/sql/tree.ts'
import { childrenOf, type SqlNode } from '../../language/sql/walk.ts'

export type TreeNode = SqlNode

export interface PlacedNode {
  readonly node: TreeNode
  /** Undefined for the statement itself. */
  readonly parent: PlacedNode | undefined
}

/**
 * Returns the nodes in text order, parents before their children. It is a loop because trees can be too deep for
 * recursion.
 */
export function placedNodes(query: Query): readonly PlacedNode[] {
  const found: PlacedNode[] = []
  const waiting: PlacedNode[] = [{ node: query, parent: undefined }]
  for (let placed = waiting.pop(); placed !== undefined; placed = waiting.pop()) {
    found.push(placed)
    const children = childrenOf(placed.node)
    // The last one that is pushed is the first one that is taken.
    for (let index = children.length - 1; index >= 0; index--)
      waiting.push({ node: children[index] as TreeNode, parent: placed })
  }
  return found
}

const notExpressions: ReadonlySet<string> = new Set<Exclude<TreeNode, Expression>['kind']>([
  ...(['query', 'cte', 'select', 'set', 'values', 'nested', 'describe', 'pivot-query', 'no-body'] as const),
  ...(['item', 'plain', 'rollup', 'cube', 'sets', 'empty', 'window'] as const),
  ...([
    'tag-table',
    'named-table',
    'file-table',
    'subquery-table',
    'function-table',
    'values-table',
  ] as const),
  ...(['join', 'pivot', 'unpivot', 'missing-table'] as const),
])

export function isExpression(node: TreeNode): node is Expression {
  return !notExpressions.has(node.kind)
}

/** Returns the place that an engine reports for an expression: its operator, or else its start. */
export function anchorOf(node: TreeNode, text: string): number {
  if (node.kind === 'binary') return node.operatorSpan.start
  if (node.kind === 'cast') return castAnchor(node, text)
  if (node.kind === 'between' || node.kind === 'in') return wordAnchor(node, text)
  return node.start
}

/** Returns the place of `::` for a cast that is written with it, and else the start. */
function castAnchor({ start, operand, type }: Cast, text: string): number {
  if (operand.start > start) return start
  const colons = text.lastIndexOf('::', type.start)
  return colons < operand.end ? start : colons
}

function wordAnchor({ start, operand, kind }: Between | InList, text: string): number {
  const found = new RegExp(`\\b${kind}\\b`, 'i').exec(text.slice(operand.end, operand.end + 200))
  return found === null ? start : operand.end + found.index
}

/** Returns the SELECT that a node belongs to. */
export function selectAround(placed: PlacedNode): Select | undefined {
  for (let each: PlacedNode | undefined = placed; each; each = each.parent)
    if (each.node.kind === 'select') return each.node
  return undefined
}

/** Returns whether `placed` is below `top` without a cast between them. */
export function isInside(placed: PlacedNode, top: TreeNode): boolean {
  if (placed.node.start < top.start || placed.node.end > top.end) return false
  for (let each: PlacedNode | undefined = placed; each; each = each.parent) {
    if (each.node === top) return true
    if (each.node.kind === 'cast') return false
  }
  return false
}
