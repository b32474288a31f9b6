/** How much of a column's values an output column tells: `personal` all or a part of them, `derived` something. */
import type { AssetAnalysis } from '@svc/server/language'
import { originKey } from './tables.ts'

export type Grade = 'none' | 'derived' | 'personal'

/** By origin, written `c.email`; what is absent has the grade `none`. */
export type Grades = ReadonlyMap<string, Grade>

/** What the analysis says of each output column, in order. */
export function gradesOf({ columns, lineage }: AssetAnalysis): readonly Grades[] {
  const isAligned = columns.length === lineage.length
  return columns.map(({ name }, index) => {
    const line = isAligned ? lineage[index] : lineage.find(each => each.column === name)
    const grades = new Map<string, Grade>()
    for (const { asset, column } of line?.from ?? []) grades.set(originKey(asset, column), 'personal')
    // An origin that has a source too is another column than one that has none; the tables here have none.
    for (const { asset, column } of line?.hidden ?? []) grades.set(originKey(asset, column), 'derived')
    return grades
  })
}
