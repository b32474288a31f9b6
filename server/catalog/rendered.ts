/**
 * Renders a statement for the engine: its template with tags resolved and mistakes repaired. Each place in the
 * result maps to a place in the template, which the tree refers to.
 */
import type { Edit } from '../language/sql/tree.ts'
import { firstIndex } from '../language/text/first-index.ts'
import { byteOffsets } from './byte-offsets.ts'
import type { Statement } from './statement.ts'
import { withoutEnd } from './without-end.ts'

export interface Rendered {
  readonly sql: string
  /** Maps a UTF-8 byte offset in `sql` to an offset in the text of the template. */
  toTemplate(byte: number): number
  /** Returns `sql` with texts in the place of ranges of the template that no tag and no edit has touched. */
  withTexts(edits: readonly Edit[]): string
}

/** Renders the statement with edits. They must not overlap; one that covers a tag replaces it. */
export function render({ template, tagTexts, engine }: Statement, edits: readonly Edit[]): Rendered {
  const pieces = replacements(template.tags, tagTexts, edits)
  const starts: number[] = [0]
  const originals: number[] = [0]
  const fixed: boolean[] = [false]
  let sql = ''
  let end = 0
  for (const { start, end: behind, text } of pieces) {
    sql += template.text.slice(end, start)
    starts.push(sql.length)
    originals.push(start)
    fixed.push(true)
    sql += text
    starts.push(sql.length)
    originals.push(behind)
    fixed.push(false)
    end = behind
  }
  sql = withoutEnd(sql + template.text.slice(end), engine)
  const toOffset = byteOffsets(sql)
  return {
    sql,
    toTemplate(byte) {
      const offset = toOffset(byte)
      const index = firstIndex(starts, start => start > offset) - 1
      const original = originals[index] ?? 0
      return fixed[index] === true ? original : original + offset - (starts[index] ?? 0)
    },
    withTexts: edits =>
      withTexts(sql, edits, offset => {
        const index = firstIndex(originals, original => original > offset) - 1
        return (starts[index] ?? 0) + offset - (originals[index] ?? 0)
      }),
  }
}

function withTexts(sql: string, edits: readonly Edit[], place: (offset: number) => number): string {
  let text = ''
  let end = 0
  for (const edit of edits.toSorted(byPlace)) {
    text += sql.slice(end, place(edit.start)) + edit.text
    end = place(edit.start) + edit.end - edit.start
  }
  return text + sql.slice(end)
}

function replacements(
  tags: Statement['template']['tags'],
  tagTexts: readonly string[],
  edits: readonly Edit[],
): readonly Edit[] {
  const ofTags = tags.map(({ range }, index): Edit => ({ ...range, text: tagTexts[index] ?? '' }))
  const sorted = edits.toSorted(byPlace)
  // Edits do not overlap, so their ends are in order as well.
  const isReplaced = (tag: Edit) => {
    const next = sorted[firstIndex(sorted, edit => edit.end > tag.start)]
    return next !== undefined && next.start < tag.end
  }
  return [...ofTags.filter(tag => !isReplaced(tag)), ...sorted].sort(byPlace)
}

function byPlace(a: Edit, b: Edit): number {
  return a.start - b.start || a.end - b.end
}
