/** Computes the smallest line changes from one text to another, so that cursors and folds elsewhere stay. */
import type { Range } from '../text/range.ts'

export interface FormatEdit {
  readonly range: Range
  readonly newText: string
}

/** Above this number of line pairs, lines are not compared one by one. */
const mostPairs = 4_000_000

/** Returns the edits in order of place, without overlaps. */
export function lineEdits(before: string, after: string): FormatEdit[] {
  if (before === after) return []
  const old = linesOf(before)
  const now = linesOf(after)
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (
    end < Math.min(old.length, now.length) - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++
  const edits: FormatEdit[] = []
  let offset = lengthOf(old, 0, start)
  for (const { removed, added } of changes(
    old.slice(start, old.length - end),
    now.slice(start, now.length - end),
  )) {
    const length = removed.reduce((sum, line) => sum + line.length, 0)
    const isKept = removed.length === 1 && added.length === 1 && removed[0] === added[0]
    if (!isKept) edits.push({ range: { start: offset, end: offset + length }, newText: added.join('') })
    offset += length
  }
  return edits
}

export function applyEdits(text: string, edits: readonly FormatEdit[]): string {
  let result = ''
  let end = 0
  for (const { range, newText } of edits) {
    result += text.slice(end, range.start) + newText
    end = range.end
  }
  return result + text.slice(end)
}

function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
}

function lengthOf(lines: readonly string[], from: number, to: number): number {
  let length = 0
  for (let index = from; index < to; index++) length += lines[index]?.length ?? 0
  return length
}

interface Change {
  readonly removed: string[]
  readonly added: string[]
}

/** Returns alternating unchanged lines (removed and added alike) and changed stretches. */
function changes(old: readonly string[], now: readonly string[]): Change[] {
  if (old.length * now.length > mostPairs) return [{ removed: [...old], added: [...now] }]
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      common[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const result: Change[] = []
  let open: Change | undefined
  let row = 0
  let column = 0
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      result.push({ removed: [old[row++] ?? ''], added: [now[column++] ?? ''] })
      open = undefined
      continue
    }
    if (open === undefined) {
      open = { removed: [], added: [] }
      result.push(open)
    }
    if (column >= now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      open.removed.push(old[row++] ?? '')
    } else open.added.push(now[column++] ?? '')
  }
  return result
}
