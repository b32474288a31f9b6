/** Finds the tree node that an engine's error is about, by the error's place and kind. */
import { wordSet } from '../../language/sql/grammar.ts'
import type { Call, Cast, NamedTable } from '../../language/sql/tree.ts'
import { sameLetters } from '../../language/text/same-letters.ts'
import type { BindError } from '../bind-error.ts'
import type { Treatment } from './treatment.ts'
import { anchorOf, isExpression, type PlacedNode, type TreeNode } from './tree-nodes.ts'

export function nodeOf(treatment: Treatment, error: BindError): PlacedNode | undefined {
  if (error.position === undefined) return undefined
  const at = treatment.rendered.toTemplate(error.position)
  const { text } = treatment.statement.template
  const here = treatment.nodes.filter(({ node }) => anchorOf(node, text) === at)
  const fits = fitting(error)
  if (error.subtype === 'type-mismatch') return outermost(treatment, at) ?? innermost(treatment, at)
  return (
    here.find(({ node }) => fits(node)) ??
    around(treatment, at, fits) ??
    here.findLast(({ node }) => isExpression(node)) ??
    innermost(treatment, at)
  )
}

/**
 * Widens a node that was found by trial: it may only be an operand of the expression that the error is about.
 */
export function fittingAround(found: PlacedNode | undefined, error: BindError): PlacedNode | undefined {
  const fits = fitting(error)
  for (let each = found; each; each = each.parent) if (fits(each.node)) return each
  return found
}

function fitting(error: BindError): (node: TreeNode) => boolean {
  const { missing, call, name = '' } = error
  if (missing === 'Type') return node => node.kind === 'cast' && namesType(node, name)
  if (missing === 'Table' || missing === 'View')
    return node => node.kind === 'named-table' && isNamed(node as NamedTable, name)
  if (missing?.includes('Function')) return node => node.kind === 'call' && isNamed(node as Call, name)
  if (call !== undefined) {
    const called = call.slice(0, call.indexOf('('))
    return node => (node.kind === 'call' ? isNamed(node as Call, called) : operators.has(node.kind))
  }
  if (error.subtype === 'unknown-column') return node => node.kind === 'reference'
  return node => isExpression(node)
}

const operators: ReadonlySet<string> = wordSet('binary unary index between in list interval')

/**
 * Returns the nearest node around a place. Engines sometimes give the place of a part: the type of a cast,
 * the bracket of a call.
 */
function around(treatment: Treatment, at: number, fits: (node: TreeNode) => boolean): PlacedNode | undefined {
  return treatment.nodes.findLast(({ node }) => node.start <= at && at < node.end && fits(node))
}

/** Returns the whole of an expression that begins at a place. */
function outermost(treatment: Treatment, at: number): PlacedNode | undefined {
  return treatment.nodes.find(({ node }) => node.start === at && isExpression(node))
}

function innermost(treatment: Treatment, at: number): PlacedNode | undefined {
  return treatment.nodes.findLast(({ node }) => node.start <= at && at < node.end && isExpression(node))
}

function namesType({ type }: Cast, name: string): boolean {
  return type.names.some(each => sameLetters(each.text, name))
}

function isNamed({ path }: NamedTable | Call, name: string): boolean {
  return sameLetters(path.at(-1)?.text ?? '', name)
}
