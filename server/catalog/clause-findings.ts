/** Errors of clauses and of types that are about no single name: GROUP BY, comparisons, set operations. */
import { type Expression, locationOf, type QueryNode, type TableNode } from '../language/lineage/sql-tree.ts'
import type { Range } from '../language/text/range.ts'
import type { BindError } from './bind-error.ts'
import { unknownColumn } from './column-findings.ts'
import type { Treatment } from './diagnose.ts'
import type { Found } from './findings.ts'
import { errorRange, firstLocation, lastWordBefore, tokenRange } from './node-ranges.ts'
import { quotedIn, sentence } from './phrases.ts'
import { restsOnUnknown } from './rests-on-unknown.ts'
import { placedNodes } from './tree-paths.ts'

export function clauseFinding(treatment: Treatment, error: BindError, node: Expression & TableNode): Found {
  return (
    groupFinding(treatment, error, node) ??
    widthFinding(treatment, error, node) ??
    typeFinding(treatment, error, node)
  )
}

function groupFinding(treatment: Treatment, error: BindError, node: Expression & TableNode): Found {
  if (/cannot contain aggregates|cannot be nested|GROUP BY term out of range/.test(error.message))
    return { code: 'sql-group-by', message: sentence(error.message), range: tokenRange(treatment, node) }
  if (/^cannot mix aggregates/i.test(error.message)) {
    if (treatment.mended.size > 0) return 'silent'
    return { code: 'sql-group-by', message: sentence(error.message), range: tokenRange(treatment, node) }
  }
  if (!/must appear in the GROUP BY|must be a grouping column/.test(error.message)) return undefined
  const values = treatment.resolution.trace?.values
  if (values?.has(node) && values.get(node) === undefined) return unknownColumn(treatment, node)
  if (isGroupByMended(treatment) || isInMendedCall(treatment, node)) return 'silent'
  const name = quotedIn(error.message)[0] ?? /^column (\S+) must/.exec(error.message)?.[1]
  return {
    code: 'sql-group-by',
    message: `"${name}" must be in GROUP BY or inside an aggregate`,
    hint: `Add it to GROUP BY, or write any_value(${name}).`,
    range: node.type === 'COLUMN_REF' ? nameRange(treatment, node) : tokenRange(treatment, node),
  }
}

/** Sides of a set operation that differ in width, unless one of them has columns nobody knows. */
function widthFinding(treatment: Treatment, error: BindError, node: Expression & TableNode): Found {
  if (!/^Set operations/.test(error.message)) return undefined
  const query = node as unknown as QueryNode
  const [left, right] = [query.left, query.right].map(
    side => side && treatment.resolution.trace?.outputs.get(side),
  )
  if (!left || !right || left.ask || right.ask) return left && right ? 'silent' : undefined
  const keyword = keywordBefore(treatment, firstLocation(query.right ?? {}))
  return {
    code: 'sql-other',
    message: `one side of ${keyword?.word ?? 'the set operation'} has ${count(left.columns.length)}, the other ${right.columns.length}`,
    hint: 'Both sides need the same number of columns; UNION BY NAME fills in what is missing.',
    range: keyword?.range ?? tokenRange(treatment, node),
  }
}

function count(columns: number): string {
  return columns === 1 ? '1 column' : `${columns} columns`
}

function keywordBefore(treatment: Treatment, byte: number): { word: string; range: Range } | undefined {
  const range = lastWordBefore(treatment, byte, /^(union|except|intersect)$/i)
  return range && { word: treatment.patient.sql.slice(range.start, range.end).toUpperCase(), range }
}

function typeFinding(treatment: Treatment, error: BindError, node: Expression & TableNode): Found {
  if (error.kind !== 'binder' && error.kind !== 'conversion') return undefined
  if (restsOnUnknown(treatment, node)) return 'silent'
  const isType = /\b(types?|cast|struct|specifier|width|convert)\b|UNNEST/i.test(error.message)
  return {
    code: isType ? 'sql-type' : 'sql-other',
    message: sentence(error.message),
    hint: /explicit cast is required/.test(error.message)
      ? 'Cast one side, such as CAST(x AS VARCHAR).'
      : undefined,
    range: errorRange(treatment, error, node),
  }
}

function nameRange(treatment: Treatment, node: Expression): Range {
  const parts = treatment.places.nameParts(locationOf(node) ?? 0, node.column_names?.length ?? 1)
  const first = parts[0]
  const last = parts.at(-1)
  return first && last ? { start: first.start, end: last.end } : tokenRange(treatment, node)
}

/** An unknown function may be an aggregate. */
function isInMendedCall(treatment: Treatment, node: object): boolean {
  const isInside = (value: object): boolean =>
    value === node ||
    Object.values(value).some(child => typeof child === 'object' && child !== null && isInside(child))
  return [...treatment.mendedCalls].some(isInside)
}

/** A grouping key put out of the way makes every other column look ungrouped. */
function isGroupByMended(treatment: Treatment): boolean {
  return placedNodes(treatment.tree).some(({ node }) => {
    const keys = node['group_expressions']
    return Array.isArray(keys) && keys.some(key => treatment.mended.has(key as object))
  })
}
