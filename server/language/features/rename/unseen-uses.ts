/** Mentions of a column that the SQL engine knows of and that no edit changes: a rename that has some is not done. */
import type { ColumnUse } from '../../analysis.ts'
import type { Asset } from '../../project/project.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import type { Knowledge } from '../knowledge.ts'
import type { ColumnChange } from './same-meaning.ts'

/** Of the file as it is; what an older state of it used counts only where it still stands. */
export function unseenUses(
  knowledge: Knowledge,
  asset: Asset,
  edits: readonly TextEdit[],
  { owners, from }: ColumnChange,
): readonly ColumnUse[] {
  const uses = knowledge.analysis.of(asset.name)?.uses ?? []
  return uses.filter(({ range, origin }) => {
    if (origin.source !== undefined || !owners.has(origin.asset)) return false
    const text = asset.text.slice(range.start, range.end).replaceAll('"', '')
    if (text.toLowerCase() !== from.toLowerCase() || origin.column.toLowerCase() !== from.toLowerCase())
      return false
    return !edits.some(edit => edit.range.start <= range.start && range.end <= edit.range.end)
  })
}
