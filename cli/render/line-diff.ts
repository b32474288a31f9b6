/** Which lines went and which came between two texts, with some that stayed around them: a unified diff without heads. */

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  readonly text: string
}

/** More lines than that are not compared line by line. */
const mostLines = 2000

/** `context`: lines that stayed shown around each change. */
export function lineDiff(before: readonly string[], after: readonly string[], context: number): DiffLine[] {
  return withContext(allLines(before, after), context)
}

function allLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  const old = before.slice(start, before.length - end)
  const now = after.slice(start, after.length - end)
  return [
    ...before.slice(0, start).map(same),
    ...(old.length > mostLines || now.length > mostLines ? replaced(old, now) : compared(old, now)),
    ...before.slice(before.length - end).map(same),
  ]
}

const same = (text: string): DiffLine => ({ kind: 'same', text })

function replaced(old: readonly string[], now: readonly string[]): DiffLine[] {
  return [
    ...old.map(text => ({ kind: 'removed', text }) as const),
    ...now.map(text => ({ kind: 'added', text }) as const),
  ]
}

/** By the longest common subsequence of lines. */
function compared(old: readonly string[], now: readonly string[]): DiffLine[] {
  const width = now.length + 1
  const longest = new Uint16Array((old.length + 1) * width)
  const at = (row: number, column: number) => longest[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      longest[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const lines: DiffLine[] = []
  let row = 0
  let column = 0
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push(same(old[row] ?? ''))
      row++
      column++
    } else if (column >= now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ kind: 'removed', text: old[row++] ?? '' })
    } else {
      lines.push({ kind: 'added', text: now[column++] ?? '' })
    }
  }
  return lines
}

function withContext(lines: readonly DiffLine[], context: number): DiffLine[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== 'same'),
  )
  const shown: DiffLine[] = []
  for (const [index, line] of lines.entries()) {
    if (near[index] === true) shown.push(line)
    else if (shown.length > 0 && shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap', text: '' })
  }
  while (shown.at(-1)?.kind === 'gap') shown.pop()
  return shown
}
