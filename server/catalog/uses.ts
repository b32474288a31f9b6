/** Mentions of columns in an asset's SQL. */
import type { ColumnOrigin, ColumnUse, SqlTemplate } from '../language/index.ts'
import { expandedIn } from '../language/macros/expand-template.ts'
import { type BoundSql, rootOf } from '../language/sql/binder/model.ts'

/** A mention of a column in a statement's template, in a form small enough to be stored. */
export interface Mention {
  readonly start: number
  readonly end: number
  readonly origin: ColumnOrigin
}

/** Returns the mentions of the asset's own columns, without names that a CTE or a subquery introduced. */
export function mentionsOf(bound: BoundSql): readonly Mention[] {
  return bound.mentions.flatMap(({ span, target, role }) => {
    if (target.kind !== 'column' || role !== 'read') return []
    return rootsOf(target.column).map(origin => ({ start: span.start, end: span.end, origin }))
  })
}

/** Returns the origins of a column; for a merged column those of both sides. */
function rootsOf(column: Parameters<typeof rootOf>[0]): readonly ColumnOrigin[] {
  const { maker } = column
  if (maker.kind === 'merged') return maker.members.flatMap(rootsOf)
  const root = rootOf(column)
  if (root.maker.kind === 'merged') return rootsOf(root)
  return root.maker.kind === 'input' ? [root.maker.origin] : []
}

export function usesInFile(mentions: readonly Mention[], template: SqlTemplate): ColumnUse[] {
  // What a test of one's own mentions is not written in this file.
  if (template.elsewhere !== undefined) return []
  // Nor is what a macro mentions.
  return mentions.flatMap(({ start, end, origin }) =>
    expandedIn(template, { start, end }).length > 0
      ? []
      : [{ range: template.toFile.rangeToOriginal({ start, end }), origin }],
  )
}
