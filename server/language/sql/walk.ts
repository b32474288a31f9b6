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
  const found: SqlNode[] = []
  switch (node.kind) {
    case 'query':
      addAll(found, node.ctes)
      add(found, node.body)
      addAll(found, node.orderBy.map(expressionOf))
      add(found, node.limit, node.offset)
      break
    case 'cte':
      add(found, node.query)
      break
    case 'item':
      add(found, node.expression)
      break
    case 'plain':
    case 'rollup':
    case 'cube':
    case 'sets':
    case 'empty':
      addAll(found, node.expressions)
      break
    case 'window':
      addAll(found, node.partitionBy)
      addAll(found, node.orderBy.map(expressionOf))
      addAll(found, node.frame)
      break
    default:
      addBody(found, node)
  }
  return isInOrder(found) ? found : found.sort((a, b) => a.start - b.start)
}

function expressionOf({ expression }: { readonly expression: Expression }): Expression {
  return expression
}

function add(found: SqlNode[], ...nodes: readonly (SqlNode | undefined)[]): void {
  for (const node of nodes) if (node !== undefined) found.push(node)
}

function addAll(found: SqlNode[], nodes: readonly SqlNode[]): void {
  for (const node of nodes) found.push(node)
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

function addBody(found: SqlNode[], node: Below): void {
  switch (node.kind) {
    case 'nested':
      add(found, node.query)
      break
    case 'set':
      add(found, node.left, node.right)
      break
    case 'values':
      addAll(found, node.rows.flat())
      break
    case 'describe':
      add(found, node.query, node.from)
      break
    case 'pivot-query':
      add(found, node.table)
      break
    case 'no-body':
      break
    case 'select':
      addSelect(found, node)
      break
    default:
      addTable(found, node)
  }
}

function addSelect(found: SqlNode[], node: Select): void {
  addAll(found, node.distinctOn)
  addAll(found, node.items)
  addAll(found, node.from)
  add(found, node.where)
  addAll(found, node.groupBy)
  add(found, node.having)
  addAll(
    found,
    node.windows.map(({ window }) => window),
  )
  add(found, node.qualify)
}

// ---------------------------------------------------------------- tables

function addTable(found: SqlNode[], node: TableExpression | Expression): void {
  switch (node.kind) {
    case 'tag-table':
    case 'named-table':
    case 'file-table':
    case 'missing-table':
      break
    case 'subquery-table':
      add(found, node.query)
      break
    case 'function-table':
      add(found, node.call)
      break
    case 'values-table':
      addAll(found, node.rows.flat())
      break
    case 'join':
      add(found, node.left, node.right, node.on)
      break
    case 'pivot':
      addPivot(found, node)
      break
    case 'unpivot':
      addUnpivot(found, node)
      break
    default:
      addExpression(found, node)
  }
}

function addPivot(found: SqlNode[], node: Pivot): void {
  add(found, node.source)
  addAll(found, node.aggregates)
  for (const { expressions, values, valuesFrom } of node.columns) {
    addAll(found, expressions)
    addAll(found, (values ?? []).map(expressionOf))
    if (valuesFrom !== undefined && 'kind' in valuesFrom) add(found, valuesFrom)
  }
  addAll(found, node.groupBy)
}

function addUnpivot(found: SqlNode[], node: Unpivot): void {
  add(found, node.source)
  addAll(
    found,
    node.entries.flatMap(({ expressions }) => expressions),
  )
}

// ---------------------------------------------------------------- expressions

function addExpression(found: SqlNode[], node: Expression): void {
  switch (node.kind) {
    case 'star':
      addStar(found, node)
      break
    case 'columns':
      add(found, node.chooser)
      break
    case 'call':
      addCall(found, node)
      break
    case 'unary':
    case 'test':
    case 'cast':
    case 'field':
    case 'collate':
      add(found, node.operand)
      break
    case 'binary':
      add(found, node.left, node.right, node.escape)
      break
    case 'between':
      add(found, node.operand, node.low, node.high)
      break
    case 'in':
      add(found, node.operand)
      addAll(found, node.items)
      break
    case 'index':
      add(found, node.operand)
      addAll(found, node.at)
      break
    case 'subquery':
      add(found, node.operand, node.query)
      break
    default:
      addLiteral(found, node)
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

function addLiteral(found: SqlNode[], node: Rest): void {
  switch (node.kind) {
    case 'case':
      add(found, node.operand)
      for (const branch of node.branches) add(found, branch.when, branch.then)
      add(found, node.otherwise)
      break
    case 'list':
    case 'row':
      addAll(found, node.items)
      break
    case 'struct':
      addAll(
        found,
        node.entries.map(({ value }) => value),
      )
      break
    case 'map':
      for (const entry of node.entries) add(found, entry.key, entry.value)
      break
    case 'lambda':
      add(found, node.body)
      break
    case 'comprehension':
      add(found, node.element, node.source, node.condition)
      break
    case 'interval':
      add(found, node.amount)
      break
    default:
  }
}

function addStar(found: SqlNode[], node: Star): void {
  addAll(found, node.replace.map(expressionOf))
  add(found, node.pattern?.pattern)
}

function addCall(found: SqlNode[], node: Call): void {
  add(found, node.receiver)
  addAll(
    found,
    node.arguments.map(({ value }) => value),
  )
  addAll(found, node.orderBy.map(expressionOf))
  add(found, node.filter)
  if (node.over !== undefined && 'kind' in node.over) add(found, node.over)
}
