/**
 * Merges two versions of a text line by line. The YAML library writes a whole file in its own layout; only the
 * lines that a patch changes are to change in the user's.
 */
import { diffArrays } from 'diff'

/** Lines `start` to `end` of the base become these. */
interface Hunk {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

/**
 * Returns `mine` with the changes from `base` to `theirs`. Where both change the same lines, theirs count.
 */
export function mergeLines(base: string, mine: string, theirs: string): string {
  if (base === mine) return theirs
  const lines = base.split('\n')
  const ours = hunksOf(lines, mine.split('\n'))
  const wanted = hunksOf(lines, theirs.split('\n'))
  const kept = ours.filter(hunk => !wanted.some(other => touch(hunk, other)))
  const all = [...wanted, ...kept].sort((a, b) => a.start - b.start || a.end - b.end)
  const merged: string[] = []
  let at = 0
  for (const { start, end, lines: own } of all) {
    merged.push(...lines.slice(at, start), ...own)
    at = end
  }
  return [...merged, ...lines.slice(at)].join('\n')
}

function hunksOf(base: readonly string[], text: readonly string[]): Hunk[] {
  const hunks: Hunk[] = []
  let at = 0
  let open: { start: number; end: number; lines: string[] } | undefined
  for (const { value, added, removed } of diffArrays([...base], [...text])) {
    if (added !== true && removed !== true) {
      at += value.length
      open = undefined
      continue
    }
    if (open === undefined) {
      open = { start: at, end: at, lines: [] }
      hunks.push(open)
    }
    if (added === true) open.lines.push(...value)
    else open.end = at += value.length
  }
  return hunks
}

/** Lines that one adds at the edge of the other are no conflict; lines that both add at one place are. */
function touch(a: Hunk, b: Hunk): boolean {
  const isSamePlace = a.start === b.start && a.end === b.end
  return isSamePlace || (a.start < b.end && b.start < a.end)
}
