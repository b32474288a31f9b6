/**
 * Renders a statement for the engine: its template with tags resolved and mistakes repaired. Each place in the
 * result maps to a place in the template, which the tree refers to.
 */
import type { Edit } from '../language/sql/tree.ts'
import { byteOffsets } from './byte-offsets.ts'
import type { Statement } from './statement.ts'
import { withoutEnd } from './without-end.ts'

export interface Rendered {
  readonly sql: string
  /** Maps a UTF-8 byte offset in `sql` to an offset in the text of the template. */
  toTemplate(byte: number): number
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
      const index = starts.findLastIndex(start => start <= offset)
      const original = originals[index] ?? 0
      return fixed[index] === true ? original : original + offset - (starts[index] ?? 0)
    },
  }
}

function replacements(
  tags: Statement['template']['tags'],
  tagTexts: readonly string[],
  edits: readonly Edit[],
): readonly Edit[] {
  const ofTags = tags.map(({ range }, index): Edit => ({ ...range, text: tagTexts[index] ?? '' }))
  const free = ofTags.filter(tag => !edits.some(edit => edit.start < tag.end && tag.start < edit.end))
  return [...free, ...edits].sort((a, b) => a.start - b.start || a.end - b.end)
}

/** A list of edits in which later ones replace those that they cover. */
export type EditList = ReturnType<typeof newEditList>

export function newEditList() {
  let all: Edit[] = []
  return {
    get all() {
      return all
    },
    /** Adds an edit. Returns false if a larger change is there already. */
    add(edit: Edit) {
      const touched = all.filter(other => other.start < edit.end && edit.start < other.end)
      if (touched.some(other => other.start < edit.start || other.end > edit.end || isSame(other, edit)))
        return false
      all = [...all.filter(other => !touched.includes(other)), edit]
      return true
    },
    without: (gone: readonly Edit[]) => all.filter(edit => !gone.includes(edit)),
  }
}

function isSame(a: Edit, b: Edit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text
}
