/** Writes what is meant in the place of habits: as a template in which every place maps to the file, and as edits. */

import { chained, type Piece } from '../../macros/expand-template.ts'
import { movedTag } from '../../syntax/macro-call.ts'
import type { SqlTemplate, Tag } from '../../syntax/template.ts'
import { lazyPositionMap } from '../../text/position-map.ts'
import type { Range } from '../../text/range.ts'
import type { Edit } from '../tree.ts'
import type { FoundHabit } from './find-habits.ts'

/** Returns the template as it is meant; what cannot be written stays. */
export function rewrittenTemplate(template: SqlTemplate, found: readonly FoundHabit[]): SqlTemplate {
  const pieces: Piece[] = []
  const tags: Tag[] = []
  let text = ''
  const write = (piece: string, original: Range, isWhole: boolean): void => {
    pieces.push({ generated: { start: text.length, end: text.length + piece.length }, original, isWhole })
    text += piece
  }
  const copy = (range: Range): void => {
    if (range.end <= range.start) return
    for (const tag of template.tags)
      if (range.start <= tag.range.start && tag.range.end <= range.end)
        tags.push(movedTag(tag, text.length - range.start))
    write(template.text.slice(range.start, range.end), range, false)
  }
  const copyRewritten = (range: Range, habits: readonly FoundHabit[]): void => {
    let end = range.start
    for (const { whole, parts = [], at } of outermost(habits)) {
      copy({ start: end, end: whole.start })
      for (const part of parts) {
        if (typeof part === 'string') write(part, at, true)
        else
          copyRewritten(
            part,
            habits.filter(inner => inner.whole !== whole && holds(part, inner.whole)),
          )
      }
      end = whole.end
    }
    copy({ start: end, end: range.end })
  }
  copyRewritten(
    { start: 0, end: template.text.length },
    found.filter(({ parts }) => parts !== undefined),
  )
  const { elsewhere } = template
  return {
    text,
    tags,
    toFile: lazyPositionMap(() => chained(pieces, template.toFile)),
    ...(elsewhere !== undefined && {
      elsewhere: { ...elsewhere, toOrigin: lazyPositionMap(() => chained(pieces, elsewhere.toOrigin)) },
    }),
  }
}

function outermost(found: readonly FoundHabit[]): readonly FoundHabit[] {
  return found.filter(({ whole }) => !found.some(other => other.whole !== whole && holds(other.whole, whole)))
}

function holds(outer: Range, inner: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

/** Returns the edits that write what is meant, as small as they can be; of several one would not do without the others. */
export function editsOf({ whole, parts = [] }: FoundHabit, text: string): readonly Edit[] {
  const kept = parts.filter(part => typeof part !== 'string')
  const isInOrder = kept.every((part, index) => (kept[index - 1]?.end ?? whole.start) <= part.start)
  if (!isInOrder)
    return [
      {
        ...whole,
        text: parts
          .map(part => (typeof part === 'string' ? part : text.slice(part.start, part.end)))
          .join(''),
      },
    ]
  const edits: Edit[] = []
  let [start, written] = [whole.start, '']
  for (const part of [...parts, { start: whole.end, end: whole.end }]) {
    if (typeof part === 'string') {
      written += part
      continue
    }
    const edit = trimmed({ start, end: part.start, text: written }, text)
    if (edit.start < edit.end || edit.text !== '') edits.push(edit)
    ;[start, written] = [part.end, '']
  }
  return edits
}

/** Takes what stays off both ends. */
function trimmed({ start, end, text: written }: Edit, text: string): Edit {
  const old = text.slice(start, end)
  let first = 0
  while (first < Math.min(old.length, written.length) && old[first] === written[first]) first++
  let last = 0
  const most = Math.min(old.length, written.length) - first
  while (last < most && old.at(-1 - last) === written.at(-1 - last)) last++
  return { start: start + first, end: end - last, text: written.slice(first, written.length - last) }
}
