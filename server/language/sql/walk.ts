/**
 * Lists the child nodes of a node and walks over all nodes below it. Nothing here is recursive: a chain of
 * ten thousand operators is a tree of that depth.
 */
import type {
  Body,
  Call,
  Cte,
  Expression,
  GroupItem,
  Pivot,
  Query,
  Select,
  SelectItem,
  Star,
  TableExpression,
  Unpivot,
  Window,
} from './tree.ts'

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
  const children: SqlNode[] = []
  switch (node.kind) {
    case 'query':
      addAll(children, node.ctes)
      add(children, node.body)
      addAll(children, node.orderBy.map(expressionOf))
      add(children, node.limit, node.offset)
      break
    case 'cte':
      add(children, node.query)
      break
    case 'item':
      add(children, node.expression)
      break
    case 'plain':
    case 'rollup':
    case 'cube':
    case 'sets':
    case 'empty':
      addAll(children, node.expressions)
      break
    case 'window':
      addAll(children, node.partitionBy)
      addAll(children, node.orderBy.map(expressionOf))
      addAll(children, node.frame)
      break
    default:
      addBody(children, node)
  }
  return isInOrder(children) ? children : children.sort((a, b) => a.start - b.start)
}

function expressionOf({ expression }: { readonly expression: Expression }): Expression {
  return expression
}

function add(children: SqlNode[], ...nodes: readonly (SqlNode | undefined)[]): void {
  for (const node of nodes) if (node !== undefined) children.push(node)
}

function addAll(children: SqlNode[], nodes: readonly SqlNode[]): void {
  for (const node of nodes) children.push(node)
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

// ---------------------------------------------------------------- bodies

type Below = Body | TableExpression | Expression

function addBody(children: SqlNode[], node: Below): void {
  switch (node.kind) {
    case 'nested':
      add(children, node.query)
      break
    case 'set':
      add(children, node.left, node.right)
      break
    case 'values':
      addAll(children, node.rows.flat())
      break
    case 'describe':
      add(children, node.query, node.from)
      break
    case 'pivot-query':
      add(children, node.table)
      break
    case 'no-body':
      break
    case 'select':
      addSelect(children, node)
      break
    default:
      addTable(children, node)
  }
}

function addSelect(children: SqlNode[], node: Select): void {
  addAll(children, node.distinctOn)
  addAll(children, node.items)
  addAll(children, node.from)
  add(children, node.where)
  addAll(children, node.groupBy)
  add(children, node.having)
  addAll(
    children,
    node.windows.map(({ window }) => window),
  )
  add(children, node.qualify)
}

// ---------------------------------------------------------------- tables

function addTable(children: SqlNode[], node: TableExpression | Expression): void {
  switch (node.kind) {
    case 'tag-table':
    case 'named-table':
    case 'file-table':
    case 'missing-table':
      break
    case 'subquery-table':
      add(children, node.query)
      break
    case 'function-table':
      add(children, node.call)
      break
    case 'values-table':
      addAll(children, node.rows.flat())
      break
    case 'join':
      add(children, node.left, node.right, node.on)
      break
    case 'pivot':
      addPivot(children, node)
      break
    case 'unpivot':
      addUnpivot(children, node)
      break
    default:
      addExpression(children, node)
  }
}

function addPivot(children: SqlNode[], node: Pivot): void {
  add(children, node.source)
  addAll(children, node.aggregates)
  for (const { expressions, values, valuesFrom } of node.columns) {
    addAll(children, expressions)
    addAll(children, (values ?? []).map(expressionOf))
    if (valuesFrom !== undefined && 'kind' in valuesFrom) add(children, valuesFrom)
  }
  addAll(children, node.groupBy)
}

function addUnpivot(children: SqlNode[], node: Unpivot): void {
  add(children, node.source)
  addAll(
    children,
    node.entries.flatMap(({ expressions }) => expressions),
  )
}

// ---------------------------------------------------------------- expressions

function addExpression(children: SqlNode[], node: Expression): void {
  switch (node.kind) {
    case 'star':
      addStar(children, node)
      break
    case 'columns':
      add(children, node.chooser)
      break
    case 'call':
      addCall(children, node)
      break
    case 'unary':
    case 'test':
    case 'cast':
    case 'field':
    case 'collate':
      add(children, node.operand)
      break
    case 'binary':
      add(children, node.left, node.right, node.escape)
      break
    case 'between':
      add(children, node.operand, node.low, node.high)
      break
    case 'in':
      add(children, node.operand)
      addAll(children, node.items)
      break
    case 'index':
      add(children, node.operand)
      addAll(children, node.at)
      break
    case 'subquery':
      add(children, node.operand, node.query)
      break
    default:
      addLiteral(children, node)
  }
}

type Rest = Exclude<
  Expression,
  {
    kind:
      | 'star'
      | 'columns'
      | 'call'
      | 'unary'
      | 'test'
      | 'cast'
      | 'field'
      | 'collate'
      | 'binary'
      | 'between'
      | 'in'
      | 'index'
      | 'subquery'
  }
>

function addLiteral(children: SqlNode[], node: Rest): void {
  switch (node.kind) {
    case 'case':
      add(children, node.operand)
      for (const branch of node.branches) add(children, branch.when, branch.then)
      add(children, node.otherwise)
      break
    case 'list':
    case 'row':
      addAll(children, node.items)
      break
    case 'struct':
      addAll(
        children,
        node.entries.map(({ value }) => value),
      )
      break
    case 'map':
      for (const entry of node.entries) add(children, entry.key, entry.value)
      break
    case 'lambda':
      add(children, node.body)
      break
    case 'comprehension':
      add(children, node.element, node.source, node.condition)
      break
    case 'interval':
      add(children, node.amount)
      break
    default:
  }
}

function addStar(children: SqlNode[], node: Star): void {
  addAll(children, node.replace.map(expressionOf))
  add(children, node.pattern?.pattern)
}

function addCall(children: SqlNode[], node: Call): void {
  add(children, node.receiver)
  addAll(
    children,
    node.arguments.map(({ value }) => value),
  )
  addAll(children, node.orderBy.map(expressionOf))
  add(children, node.filter)
  if (node.over !== undefined && 'kind' in node.over) add(children, node.over)
}
