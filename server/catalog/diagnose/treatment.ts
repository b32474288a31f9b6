/** The state of diagnosing one broken statement, while its mistakes are found and removed one by one. */
import type { Engine } from '../../language/engines/engine.ts'
import type { BoundSql, Column } from '../../language/sql/binder/model.ts'
import type { Edit, Expression } from '../../language/sql/tree.ts'
import type { Binder } from '../binder.ts'
import type { EditList } from '../edit-list.ts'
import type { FunctionNames } from '../function-names.ts'
import type { RelationName } from '../relations.ts'
import type { Rendered } from '../rendered.ts'
import type { Statement } from '../statement.ts'
import { allTypesKnown } from '../unknown-inputs.ts'
import type { RepairedFinding } from './finding.ts'
import { isExpression, isInside, type PlacedNode, type TreeNode } from './tree-nodes.ts'

/** The names that are offered for unknown tables and functions. */
export interface KnownNames {
  readonly nearestAssets: (name: string) => readonly string[]
  readonly engine: Engine
  /** The engine extensions that `svc.yaml` lists. */
  readonly extensions: readonly string[]
  readonly ensure: (relations: readonly RelationName[]) => Promise<void>
  readonly functions: () => Promise<FunctionNames>
}

export interface Treatment {
  readonly binder: Binder
  readonly statement: Statement
  readonly names: KnownNames
  /** The statement with its names bound and a value for every expression. */
  readonly bound: BoundSql
  readonly nodes: readonly PlacedNode[]
  readonly edits: EditList
  /** Nodes that were replaced by NULL, and calls that were reduced to their arguments. */
  readonly repaired: Set<TreeNode>
  readonly findings: RepairedFinding[]
  /** The text that was bound last. */
  rendered: Rendered
}

/** Replaces an expression by NULL. Returns false if that is impossible or was done already. */
export function repairExpression(treatment: Treatment, placed: PlacedNode): boolean {
  const { node } = placed
  if (!isExpression(node)) return false
  treatment.repaired.add(node)
  return treatment.edits.add(nullFor(treatment, placed))
}

export function nullFor(treatment: Pick<Treatment, 'statement' | 'edits'>, placed: PlacedNode): Edit {
  const { start, end } = placed.node
  const open = unclosedIn(treatment, placed.node)
  return open === '' ? wholeNullFor(treatment, placed) : { start, end, text: `${open}NULL` }
}

/** Returns the brackets of a node that edits at its end close: they stay open in what replaces it. */
function unclosedIn({ statement, edits }: Pick<Treatment, 'statement' | 'edits'>, node: TreeNode): string {
  const { start, end } = node
  if (!edits.all.some(edit => edit.start === end && edit.end === end && /^[)\]]$/.test(edit.text))) return ''
  const text = statement.template.text.slice(start, end)
  const open: string[] = []
  for (const token of statement.engine.tokens(text)) {
    const mark = token.kind === 'punctuation' ? text.slice(token.start, token.end) : ''
    if (mark === '(' || mark === '[') open.push(mark)
    else if (mark === ')' || mark === ']') open.pop()
  }
  return open.join('')
}

function wholeNullFor({ statement }: Pick<Treatment, 'statement'>, { node, parent }: PlacedNode): Edit {
  const { start, end } = node
  const item = parent?.node.kind === 'item' ? parent.node : undefined
  const name = item !== undefined && item.alias === undefined ? nameOf(node as Expression) : undefined
  if (parent?.node.kind === 'query') return { start, end, text: '1' }
  return { start, end, text: name === undefined ? '(NULL)' : `NULL AS ${statement.engine.quote(name)}` }
}

/** Returns the name of a column that is a plain reference. */
export function nameOf(node: Expression): string | undefined {
  return node.kind === 'reference' ? node.path.at(-1)?.text : undefined
}

/**
 * Returns whether the type of an expression depends on an unknown column or a repaired node without a cast
 * between them.
 */
export function restsOnUnknown(treatment: Treatment, node: TreeNode): boolean {
  if (node.kind === 'cast') return false
  if (node.kind === 'missing') return true
  if (treatment.repaired.has(node)) return true
  if (node.kind === 'reference' || node.kind === 'columns')
    return isOfUnknown(treatment, node as Expression) || isOfRepaired(treatment, node)
  if (isCovered(treatment, node)) return true
  return treatment.nodes.some(placed => isUnknownLeaf(treatment, placed.node) && isInside(placed, node))
}

function isOfUnknown({ bound, statement, repaired }: Treatment, node: Expression): boolean {
  const unknown = bound.values.get(node)?.unknown
  return unknown === undefined || (unknown && (repaired.size > 0 || !allTypesKnown(statement, bound)))
}

function isUnknownLeaf(treatment: Treatment, node: TreeNode): boolean {
  if (treatment.repaired.has(node)) return true
  const isLeaf = node.kind === 'reference' || node.kind === 'columns' || node.kind === 'missing'
  return isLeaf && restsOnUnknown(treatment, node)
}

/** Returns whether the node refers to a column that a repaired expression makes. */
function isOfRepaired(treatment: Treatment, node: TreeNode): boolean {
  if (treatment.repaired.size === 0) return false
  const found = treatment.bound.mentions.find(
    ({ span, target }) => target.kind === 'column' && node.start <= span.start && span.end <= node.end,
  )
  return found?.target.kind === 'column' && isMadeOfRepaired(treatment, found.target.column)
}

export function isMadeOfRepaired(treatment: Treatment, column: Column): boolean {
  const { maker } = column
  if ('of' in maker && maker.of !== undefined && isMadeOfRepaired(treatment, maker.of)) return true
  if (maker.kind === 'merged') return maker.members.some(member => isMadeOfRepaired(treatment, member))
  if (maker.kind === 'union') return maker.sides.some(side => isMadeOfRepaired(treatment, side))
  const item = maker.kind === 'named' || maker.kind === 'expression' ? maker.item : undefined
  if (item === undefined) return false
  return [...treatment.repaired].some(node => item.start <= node.start && node.end <= item.end)
}

/** Returns whether an edit replaces the node. */
function isCovered({ edits }: Treatment, node: TreeNode): boolean {
  return edits.all.some(edit => edit.start <= node.start && node.end <= edit.end && edit.start < edit.end)
}
