/**
 * Keeps the names of columns without an alias: they are the text of their expression, which a rename changes.
 */
import type { Column } from '../../analysis.ts'
import { type Column as BoundColumn, firstSide } from '../../sql/binder/model.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'
import { sqlInsertion } from './written-names.ts'

/** Adds the present name as an alias. `columns` are the asset's, as the warehouse names them. */
export function keptNames(
  transform: BoundBlock,
  columns: readonly Column[],
  edits: readonly TextEdit[],
  renamed: ReadonlySet<BoundColumn>,
  oldName: string,
): readonly TextEdit[] {
  const output = transform.bound.output.columns
  if (output.length !== columns.length || edits.length === 0) return []
  return output.flatMap((column, at): readonly TextEdit[] => {
    const first = firstSide(column)
    const item = first.maker.kind === 'expression' ? first.maker.item : undefined
    const name = columns[at]?.name ?? ''
    if (item === undefined || first.name !== '' || renamed.has(first)) return []
    // The text of a subquery contains names of warehouse tables, so nobody could rely on it.
    if (/\bselect\b/i.test(name) || !wordPattern(oldName).test(name)) return []
    return [sqlInsertion(transform, item.end, ` AS ${transform.engine.quoteIfNeeded(name)}`)]
  })
}

/**
 * Returns whether a quoted name is the text of an expression with the column in it: its readers cannot be
 * found.
 */
export function namesExpression({ block, bound }: BoundBlock, oldName: string): boolean {
  const word = wordPattern(oldName)
  return Array.from(block.text.matchAll(/"(?:[^"]|"")+"/g)).some(
    match =>
      word.test(match[0]) &&
      match[0].length > oldName.length + 2 &&
      !bound.mentions.some(({ span }) => span.start === match.index),
  )
}

function wordPattern(name: string): RegExp {
  return new RegExp(`(?<![\\w])${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\w])`, 'i')
}
