/**
 * Lists the child nodes of a node and walks over all nodes below it. Nothing here is recursive: a chain of
 * ten thousand operators is a tree of that depth.
 */
import type { Body, Cte, Expression, GroupItem, Query, SelectItem, TableExpression, Window } from './tree.ts'

export type SqlNode = Query | Cte | Body | SelectItem | GroupItem | TableExpression | Expression | Window

export interface Visitor {
  /** Called before the child nodes; returns false to skip them. */
  readonly enter?: (node: SqlNode, parent: SqlNode | undefined) => boolean | undefined
  /** Called after the child nodes. */
  readonly leave?: (node: SqlNode, parent: SqlNode | undefined) => void
}

interface Step {
  readonly node: SqlNode
  readonly parent: SqlNode | undefined
  readonly leaves: boolean
}

/** Visits a node and all nodes below it in text order. */
export function walk(root: SqlNode, visitor: Visitor): void {
  const steps: Step[] = [{ node: root, parent: undefined, leaves: false }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { node, parent } = step
    if (step.leaves) {
      visitor.leave?.(node, parent)
      continue
    }
    if (visitor.enter?.(node, parent) === false) continue
    if (visitor.leave !== undefined) steps.push({ node, parent, leaves: true })
    const children = childrenOf(node)
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index]
      if (child !== undefined) steps.push({ node: child, parent: node, leaves: false })
    }
  }
}

/** Returns the child nodes of a node in text order. */
export function childrenOf(node: SqlNode): readonly SqlNode[] {
  const listed: Children<SqlNode> = childrenByKind[node.kind]
  const children = listed(node).filter(child => child !== undefined)
  return isInOrder(children) ? children : children.sort((a, b) => a.start - b.start)
}

/**
 * Returns whether the nodes are in text order: `FROM t SELECT a`, OFFSET before LIMIT and misplaced clauses
 * are not in the order of the fields.
 */
function isInOrder(nodes: readonly SqlNode[]): boolean {
  let last = 0
  for (const { start } of nodes) {
    if (start < last) return false
    last = start
  }
  return true
}

type Kind = SqlNode['kind']
type OfKind<Each extends Kind> = Each extends GroupItem['kind'] ? GroupItem : Extract<SqlNode, { kind: Each }>
// A method, so that the function of one kind may be called with any node: the table is read by the node's own kind.
type Children<Node> = { of(node: Node): readonly (SqlNode | undefined)[] }['of']

const none = (): readonly SqlNode[] => []
const operandOf = ({ operand }: { readonly operand: Expression }) => [operand]
const groupedOf = ({ expressions }: GroupItem) => expressions
const rowsOf = ({ rows }: { readonly rows: readonly (readonly Expression[])[] }) => rows.flat()
const itemsOf = ({ items }: { readonly items: readonly Expression[] }) => items
const expressionOf = ({ expression }: { readonly expression: Expression }) => expression
const valueIn = ({ value }: { readonly value: Expression }) => value
/** A name that stands for a window or for the values of a pivot is no node. */
const nodeIn = <Node extends SqlNode>(value: Node | object | undefined): Node | undefined =>
  value !== undefined && 'kind' in value ? (value as Node) : undefined

const childrenByKind: { readonly [Each in Kind]: Children<OfKind<Each>> } = {
  query: node => [...node.ctes, node.body, ...node.orderBy.map(expressionOf), node.limit, node.offset],
  cte: node => [node.query],
  item: node => [node.expression],
  window: node => [...node.partitionBy, ...node.orderBy.map(expressionOf), ...node.frame],

  plain: groupedOf,
  rollup: groupedOf,
  cube: groupedOf,
  sets: groupedOf,
  empty: groupedOf,

  nested: node => [node.query],
  set: node => [node.left, node.right],
  values: rowsOf,
  describe: node => [node.query, node.from],
  'pivot-query': node => [node.table],
  'no-body': none,
  select: node => [
    ...node.distinctOn,
    ...node.items,
    ...node.from,
    node.where,
    ...node.groupBy,
    node.having,
    ...node.windows.map(({ window }) => window),
    node.qualify,
  ],

  'tag-table': none,
  'named-table': none,
  'file-table': none,
  'missing-table': none,
  'subquery-table': node => [node.query],
  'function-table': node => [node.call],
  'values-table': rowsOf,
  join: node => [node.left, node.right, node.on],
  pivot: node => [
    node.source,
    ...node.aggregates,
    ...node.columns.flatMap(({ expressions, values = [], valuesFrom }) => [
      ...expressions,
      ...values.map(expressionOf),
      nodeIn<Query>(valuesFrom),
    ]),
    ...node.groupBy,
  ],
  unpivot: node => [node.source, ...node.entries.flatMap(({ expressions }) => expressions)],

  star: node => [...node.replace.map(expressionOf), node.pattern?.pattern],
  columns: node => [node.chooser],
  call: node => [
    node.receiver,
    ...node.arguments.map(valueIn),
    ...node.orderBy.map(expressionOf),
    node.filter,
    nodeIn<Window>(node.over),
  ],
  unary: operandOf,
  test: operandOf,
  cast: operandOf,
  field: operandOf,
  collate: operandOf,
  binary: node => [node.left, node.right, node.escape],
  between: node => [node.operand, node.low, node.high],
  in: node => [node.operand, ...node.items],
  index: node => [node.operand, ...node.at],
  subquery: node => [node.operand, node.query],
  case: node => [node.operand, ...node.branches.flatMap(({ when, then }) => [when, then]), node.otherwise],
  list: itemsOf,
  row: itemsOf,
  struct: node => node.entries.map(valueIn),
  map: node => node.entries.flatMap(({ key, value }) => [key, value]),
  lambda: node => [node.body],
  comprehension: node => [node.element, node.source, node.condition],
  interval: node => [node.amount],

  literal: none,
  parameter: none,
  tag: none,
  reference: none,
  positional: none,
  missing: none,
}
