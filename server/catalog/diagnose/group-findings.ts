/** Findings for columns that are neither grouped nor aggregated, and for aggregates in the wrong place. */
import type { Call, Expression, Select } from '../../language/sql/tree.ts'
import type { BindError } from '../bind-error.ts'
import { sentence } from '../phrases.ts'
import type { Found } from './finding.ts'
import { nameOf, restsOnUnknown, type Treatment } from './treatment.ts'
import { type PlacedNode, selectAround, type TreeNode } from './tree-nodes.ts'

/** Returns undefined if the error is about something else. */
export function groupFinding(treatment: Treatment, error: BindError, culprit: PlacedNode): Found | undefined {
  if (error.kind !== 'binder' || error.call !== undefined) return undefined
  if (error.subtype === 'misplaced-call' && culprit.node.kind === 'call')
    return { code: 'sql-group-by', message: sentence(error.message), range: nameSpan(culprit.node as Call) }
  const { kind } = culprit.node
  if (kind !== 'reference' && kind !== 'star' && kind !== 'columns') return undefined
  const select = selectAround(culprit)
  if (select === undefined || !isAboutGroups(treatment, error, select)) return undefined
  return ungrouped(treatment, culprit, select)
}

/** Some engines say only that a column cannot stand there. */
function isAboutGroups(treatment: Treatment, { subtype }: BindError, select: Select): boolean {
  if (subtype === undefined) return isGrouped(treatment, select)
  return subtype === 'ungrouped-column'
}

function ungrouped(treatment: Treatment, { node }: PlacedNode, select: Select): Found {
  const { engine, template } = treatment.statement
  const { text } = template
  // An unknown function may be an aggregate, and a grouping key that was replaced leaves its columns
  // ungrouped.
  if (isInRepairedCall(treatment, node) || isKeyRepaired(treatment, select) || isKey(node, select))
    return 'silent'
  if (isMisspeltElsewhere(treatment, node)) return 'silent'
  if (treatment.bound.values.get(node as Expression)?.unknown === true && restsOnUnknown(treatment, node)) {
    const isMisspelt = treatment.findings.some(({ finding }) => finding.range.start === node.start)
    if (isMisspelt) return 'silent'
  }
  if (node.kind !== 'reference')
    return {
      code: 'sql-group-by',
      message: `every column of ${text.slice(node.start, node.end)} must be in GROUP BY or inside an aggregate`,
      range: { start: node.start, end: node.end },
    }
  const { path } = node as Extract<Expression, { kind: 'reference' }>
  const name = path.at(-1)?.text ?? ''
  return {
    code: 'sql-group-by',
    message: `"${name}" must be in GROUP BY or inside an aggregate`,
    hint: `Add it to GROUP BY, or write ${engine.functions.ofAnyRow}(${name}).`,
    range: { start: node.start, end: node.end },
  }
}

/**
 * Returns whether the name was misspelt where the column comes from and is reported there: the engine does
 * not have it here.
 */
function isMisspeltElsewhere({ bound }: Treatment, { start, end }: TreeNode): boolean {
  const found = bound.mentions.find(
    ({ span, target }) => target.kind === 'column' && start <= span.start && span.end <= end,
  )
  if (found?.target.kind !== 'column') return false
  const { column } = found.target
  return bound.tables.some(table => table.also?.includes(column))
}

/** Returns whether the SELECT has grouping keys or an aggregate. */
function isGrouped({ nodes, statement }: Treatment, select: Select): boolean {
  if (select.groupBy.length > 0 || select.groupByAll !== undefined || select.having !== undefined) return true
  return nodes.some(placed => isAggregate(placed.node, statement) && selectAround(placed) === select)
}

function isAggregate(node: TreeNode, { engine }: Treatment['statement']): boolean {
  if (node.kind !== 'call') return false
  return engine.functions.aggregates.has((node as Call).path.at(-1)?.text.toLowerCase() ?? '')
}

function isInRepairedCall({ repaired }: Treatment, node: TreeNode): boolean {
  return [...repaired].some(call => call.kind === 'call' && call.start <= node.start && node.end <= call.end)
}

/** Returns whether the node is a grouping key: then another mistake only makes it look ungrouped. */
function isKey(node: TreeNode, select: Select): boolean {
  const name = nameOf(node as Expression)
  const keys = select.groupBy.flatMap(group => group.expressions)
  return name !== undefined && keys.some(key => nameOf(key)?.toLowerCase() === name.toLowerCase())
}

function isKeyRepaired({ edits }: Treatment, select: Select): boolean {
  const keys = select.groupBy.flatMap(group => group.expressions)
  return keys.some(key => edits.all.some(edit => key.start <= edit.start && edit.end <= key.end))
}

function nameSpan({ path, start, end }: Call): { start: number; end: number } {
  const name = path.at(-1)
  return name === undefined ? { start, end } : { start: name.start, end: name.end }
}
