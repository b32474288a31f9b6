/** Lists the nodes of a statement's tree with their places and their parents. */
import type { Between, Cast, Expression, InList, Query, Select } from '../../language/sql/tree.ts'

export type TreeNode = { readonly kind: string; readonly start: number; readonly end: number }

export interface PlacedNode {
  readonly node: TreeNode
  /** Undefined for the statement itself. */
  readonly parent: PlacedNode | undefined
}

/**
 * Returns the nodes in pre-order: parents before their children. It is a loop because trees can be too deep
 * for recursion.
 */
export function placedNodes(query: Query): readonly PlacedNode[] {
  const found: PlacedNode[] = []
  const values: object[] = [query]
  const parents: (PlacedNode | undefined)[] = [undefined]
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    let placed = parents.pop()
    if (isNode(value)) {
      placed = { node: value, parent: placed }
      found.push(placed)
    }
    const first = values.length
    for (const key in value) {
      const child: unknown = value[key as keyof typeof value]
      if (typeof child === 'object' && child !== null) values.push(child)
    }
    turnAround(values, first)
    while (parents.length < values.length) parents.push(placed)
  }
  return found
}

/**
 * Reverses the children that were pushed last: the stack pops from its end, and they are wanted in text
 * order.
 */
function turnAround(values: object[], first: number): void {
  for (let left = first, right = values.length - 1; left < right; left++, right--)
    [values[left], values[right]] = [values[right] as object, values[left] as object]
}

function isNode(value: object): value is TreeNode {
  return 'kind' in value && 'start' in value
}

const notExpressions: ReadonlySet<string> = new Set(
  `query cte select set values nested describe pivot-query no-body item plain rollup cube sets empty window
  tag-table named-table file-table subquery-table function-table values-table join pivot unpivot missing-table
  from where group having qualify order limit offset sample other`.split(/\s+/),
)

export function isExpression(node: TreeNode): node is Expression {
  return !notExpressions.has(node.kind)
}

/** Returns the place that an engine reports for an expression: its operator, or else its start. */
export function anchorOf(node: TreeNode, text: string): number {
  if (node.kind === 'binary') return (node as Extract<Expression, { kind: 'binary' }>).operatorSpan.start
  if (node.kind === 'cast') return castAnchor(node as Cast, text)
  if (node.kind === 'between' || node.kind === 'in') return wordAnchor(node as Between | InList, text)
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
    if (each.node.kind === 'select') return each.node as Select
  return undefined
}
