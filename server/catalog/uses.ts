/** Mentions of columns as ranges in the file. */
import type { ColumnUse } from '../language/index.ts'
import type { NameUse } from '../language/lineage/walk.ts'
import type { CompiledSql } from '../language/syntax/template.ts'
import { sqlPlaces, unquoted } from './sql-places.ts'

/** What mentions are worked out from: small enough to be kept. */
export interface Mentions {
  /** The SQL in place of each tag of the template. */
  readonly tagTexts: readonly string[]
  readonly uses: readonly NameUse[]
}

export const noMentions: Mentions = { tagTexts: [], uses: [] }

/** Some nodes stand where the parser rewrote the text; those whose name is not there are left out. */
export function usesInFile(uses: readonly NameUse[], compiled: CompiledSql, shift = 0): ColumnUse[] {
  if (uses.length === 0) return []
  const places = sqlPlaces(compiled.sql)
  const found: ColumnUse[] = []
  for (const { location, part, origin } of uses) {
    const range = location < 0 ? undefined : places.nameParts(location - shift, part + 1)[part]
    if (!range || !isNamed(compiled.sql.slice(range.start, range.end), origin.column)) continue
    found.push({ range: compiled.toFile.rangeToOriginal(range), origin })
  }
  return found.sort((a, b) => a.range.start - b.range.start)
}

function isNamed(text: string, name: string): boolean {
  return unquoted(text).toLowerCase() === name.toLowerCase()
}
