/** Handles column names that become values or other column names: UNPIVOT, PIVOT, DESCRIBE. */
import type { BoundSql, Column, Mention } from '../../sql/binder/model.ts'
import type { Body, Describe, Pivot, Span, Unpivot, UnpivotEntry } from '../../sql/tree.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import { mentionsIn } from '../names/mentions.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'
import { sqlInsertion } from './written-names.ts'

/** Returns edits that keep the values unchanged; undefined if that is impossible. */
export function keptValues(named: BoundBlock, renamed: ReadonlySet<Column>): readonly TextEdit[] | undefined {
  const { bound } = named
  const edits: (TextEdit | undefined)[] = []
  for (const node of turningNames(bound)) {
    if (node.kind === 'unpivot')
      for (const entry of node.entries) edits.push(...keptValue(named, node, entry, renamed))
    else if (node.kind === 'pivot' ? namesCells(bound, node, renamed) : readsAny(bound, node, renamed))
      return undefined
  }
  return edits.every(edit => edit !== undefined) ? edits : undefined
}

/** Replaces `UNPIVOT t ON old` by `UNPIVOT t ON new AS old`. */
function keptValue(
  named: BoundBlock,
  { source }: Unpivot,
  entry: UnpivotEntry,
  renamed: ReadonlySet<Column>,
): readonly (TextEdit | undefined)[] {
  const { bound } = named
  const columns = mentionsIn(bound.mentions, entry).flatMap(mention => columnOf(mention) ?? [])
  const [first, ...others] = entry.expressions
  if (first?.kind === 'star' || first?.kind === 'columns') {
    // A star is safe if it mentions every renamed column, which it does only to exclude it.
    const isSafe = columnsWithin(bound, source).every(
      column => !renamed.has(column) || columns.includes(column),
    )
    return isSafe ? [] : [undefined]
  }
  const column = columns.find(each => renamed.has(each))
  if (column === undefined || entry.alias !== undefined) return []
  if (first?.kind !== 'reference' || others.length > 0) return [undefined]
  return [sqlInsertion(named, entry.end, ` AS ${named.engine.quoteIfNeeded(column.name)}`)]
}

function columnOf({ target }: Mention): Column | undefined {
  return target.kind === 'column' ? target.column : undefined
}

/**
 * Returns whether a renamed column names the cells: with several aggregates, columns are named after the text
 * of those without an alias.
 */
function namesCells(bound: BoundSql, { aggregates }: Pivot, renamed: ReadonlySet<Column>): boolean {
  if (aggregates.length < 2) return false
  return aggregates
    .filter(({ alias }) => alias === undefined)
    .flatMap(item => mentionsIn(bound.mentions, item))
    .some(({ target }) => target.kind === 'column' && renamed.has(target.column))
}

/** Returns whether DESCRIBE or SUMMARIZE returns the name of a renamed column as a value. */
function readsAny(bound: BoundSql, node: Describe, renamed: ReadonlySet<Column>): boolean {
  return columnsWithin(bound, node).some(column => renamed.has(column))
}

function columnsWithin({ tables }: BoundSql, { start, end }: Span): readonly Column[] {
  return tables.flatMap(({ node, columns }) => (start <= node.start && node.end <= end ? columns : []))
}

function turningNames({ tables, scopes }: BoundSql): readonly (Pivot | Unpivot | Describe)[] {
  const inFrom = tables.flatMap(({ node }) =>
    node.kind === 'pivot' || node.kind === 'unpivot' ? [node] : [],
  )
  const statements = [...scopes.keys()].flatMap(node => (node.kind === 'query' ? bodiesOf(node.body) : []))
  return [...inFrom, ...statements]
}

function bodiesOf(body: Body): readonly (Pivot | Unpivot | Describe)[] {
  if (body.kind === 'set') return [...bodiesOf(body.left), ...bodiesOf(body.right)]
  if (body.kind === 'pivot-query') return [body.table]
  return body.kind === 'describe' ? [body] : []
}
