/**
 * A statement as the engine gets it: its template with tags resolved and mistakes mended. Every place of it is known in
 * the template, where the tree of the statement is.
 */
import type { Edit } from '../language/sql/tree.ts'
import { byteOffsets } from './byte-offsets.ts'
import type { Statement } from './statement.ts'
import { withoutEnd } from './without-end.ts'

export interface Rendered {
  readonly sql: string
  /** From a UTF-8 byte offset of `sql` to an offset of the template's text. */
  toTemplate(byte: number): number
}

/** `edits` may not overlap; one that covers a tag takes its place. */
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

/** Edits of which later ones take the place of those that they cover. */
export interface EditList {
  readonly all: readonly Edit[]
  /** False: something is changed there already, and more than this. */
  add(edit: Edit): boolean
  without(gone: readonly Edit[]): readonly Edit[]
}

export function newEditList(): EditList {
  let all: Edit[] = []
  return {
    get all() {
      return all
    },
    add(edit) {
      const touched = all.filter(other => other.start < edit.end && edit.start < other.end)
      if (touched.some(other => other.start < edit.start || other.end > edit.end || isSame(other, edit)))
        return false
      all = [...all.filter(other => !touched.includes(other)), edit]
      return true
    },
    without: gone => all.filter(edit => !gone.includes(edit)),
  }
}

function isSame(a: Edit, b: Edit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text
}
