/** Mentions of a column that the SQL engine knows of and the names of the file do not: they could not be renamed. */
import type { ColumnUse } from '../../analysis.ts'
import type { Asset } from '../../project/project.ts'
import type { Knowledge } from '../knowledge.ts'
import { occurrencesIn } from '../names/occurrences.ts'
import type { ColumnChange } from './same-meaning.ts'

/** Of the file as it is; what an older state of it used counts only where it still stands. */
export function unseenUses(
  knowledge: Knowledge,
  asset: Asset,
  { owners, from }: ColumnChange,
): readonly ColumnUse[] {
  const seen = new Set(occurrencesIn(knowledge, asset.path).map(({ range }) => range.start))
  const uses = knowledge.analysis.of(asset.name)?.uses ?? []
  return uses.filter(({ range, origin }) => {
    if (origin.source !== undefined || !owners.has(origin.asset)) return false
    const text = asset.text.slice(range.start, range.end).replaceAll('"', '')
    if (text.toLowerCase() !== from.toLowerCase() || origin.column.toLowerCase() !== from.toLowerCase())
      return false
    return !seen.has(range.start)
  })
}
