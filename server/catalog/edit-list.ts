/** Edits of one text, none of which overlaps another, in the order of their places: a text may have thousands of mistakes. */
import type { Edit, Span } from '../language/sql/tree.ts'
import { firstIndex } from '../language/text/first-index.ts'

export type EditList = ReturnType<typeof newEditList>

/** Makes a list in which later edits replace those that they cover. */
export function newEditList() {
  const all: Edit[] = []
  const present = new Set<Edit>()
  return {
    get all(): readonly Edit[] {
      return all
    },
    has: (edit: Edit): boolean => present.has(edit),
    /** Adds an edit. Returns false if a larger change is there already. */
    add(edit: Edit): boolean {
      const first = firstIndex(all, other => other.end > edit.start)
      let last = first
      while (last < all.length && isBefore(all[last], edit.end)) last++
      const touched = all.slice(first, last).filter(other => overlap(other, edit))
      if (touched.some(other => other.start < edit.start || other.end > edit.end || isSame(other, edit)))
        return false
      for (const other of touched) {
        present.delete(other)
        all.splice(all.indexOf(other, first), 1)
      }
      all.splice(
        firstIndex(
          all,
          other => other.start > edit.start || (other.start === edit.start && other.end > edit.end),
        ),
        0,
        edit,
      )
      present.add(edit)
      return true
    },
    without(gone: readonly Edit[]): readonly Edit[] {
      const left = new Set(gone)
      return all.filter(edit => !left.has(edit))
    },
  }
}

function isBefore(edit: Edit | undefined, end: number): boolean {
  return edit !== undefined && edit.start < end
}

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end
}

function isSame(a: Edit, b: Edit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text
}
