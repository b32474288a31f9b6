/** Computes a diff of lines between two texts, with context: a unified diff without headers. */
import { diffArrays } from 'diff'

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  readonly text: string
}

/**
 * Texts with more changes than this are shown as completely replaced, except common lines at the beginning
 * and end.
 */
const mostChanges = 1500

/** `context` is the number of unchanged lines around each change. */
export function lineDiff(before: readonly string[], after: readonly string[], context: number): DiffLine[] {
  return withContext(allLines(before, after), context)
}

function allLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const parts = diffArrays([...before], [...after], { maxEditLength: mostChanges })
  if (parts === undefined) return replaced(before, after)
  return parts.flatMap(({ added, removed, value }) =>
    linesOf(added ? 'added' : removed ? 'removed' : 'same', value),
  )
}

function replaced(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return [
    ...linesOf('same', before.slice(0, start)),
    ...linesOf('removed', before.slice(start, before.length - end)),
    ...linesOf('added', after.slice(start, after.length - end)),
    ...linesOf('same', before.slice(before.length - end)),
  ]
}

function linesOf(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map(text => ({ kind, text }))
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
