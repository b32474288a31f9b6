/** Pairs actual with expected rows: as many equal pairs as possible, then the most similar ones. */
import type { Pairs, RowComparator } from './compare-rows.ts'

/**
 * Above this number of comparisons, different rows are not paired: they are reported as missing and
 * unexpected.
 */
const mostComparisons = 250_000

export function matchInAnyOrder(comparator: RowComparator): Pairs {
  const byKey = new Map<string, number[]>()
  for (let row = comparator.actual - 1; row >= 0; row--) {
    const key = comparator.keyOf('actual', row)
    const list = byKey.get(key)
    if (list === undefined) byKey.set(key, [row])
    else list.push(row)
  }
  // Rows with equal keys are interchangeable, so they are paired in order.
  const actualOf = comparator.isExact
    ? numbers(comparator.expected).map(row => byKey.get(comparator.keyOf('expected', row))?.pop())
    : mostPairs(comparator, byKey)
  return withLikePairs(comparator, actualOf)
}

/**
 * Finds a maximum matching (Kuhn's algorithm). A row that checks few columns, or approximate numbers, may
 * match several rows, so an earlier pair is changed if that allows one more.
 */
function mostPairs(
  comparator: RowComparator,
  byKey: ReadonlyMap<string, readonly number[]>,
): (number | undefined)[] {
  const actualOf: (number | undefined)[] = numbers(comparator.expected).map(() => undefined)
  const expectedOf = new Map<number, number>()
  const fits = numbers(comparator.expected).map(row =>
    (byKey.get(comparator.keyOf('expected', row)) ?? []).filter(other => comparator.isSame(row, other)),
  )
  const serve = (row: number, tried: Set<number>, depth: number): boolean => {
    for (const other of fits[row] ?? []) {
      if (tried.has(other)) continue
      tried.add(other)
      const holder = expectedOf.get(other)
      if (holder === undefined || (depth < deepest && serve(holder, tried, depth + 1))) {
        expectedOf.set(other, row)
        actualOf[row] = other
        return true
      }
    }
    return false
  }
  for (const row of numbers(comparator.expected)) serve(row, new Set(), 0)
  return actualOf
}

const deepest = 2000

/** Pairs the remaining rows, most similar first. */
function withLikePairs(comparator: RowComparator, same: readonly (number | undefined)[]): Pairs {
  const actualOf = [...same]
  const taken = new Set(same)
  const wanted = numbers(comparator.expected).filter(row => same[row] === undefined)
  const came = numbers(comparator.actual).filter(row => !taken.has(row))
  const isSame = (row: number) => same[row] !== undefined
  if (wanted.length === 1 && came.length === 1) {
    actualOf[wanted[0] ?? 0] = came[0]
    return { actualOf, isSame }
  }
  if (wanted.length * came.length > mostComparisons) return { actualOf, isSame }
  const candidates = wanted.flatMap(row =>
    came.map(other => ({ row, other, likeness: comparator.likeness(row, other) })),
  )
  candidates.sort((a, b) => b.likeness - a.likeness || a.row - b.row || a.other - b.other)
  for (const { row, other, likeness } of candidates) {
    if (likeness === 0) break
    if (actualOf[row] !== undefined || taken.has(other)) continue
    actualOf[row] = other
    taken.add(other)
  }
  return { actualOf, isSame }
}

/** Finds the longest common sequence; between two equal rows, different ones are paired in order. */
export function matchInOrder(comparator: RowComparator): Pairs {
  const same = longestCommon(comparator)
  const actualOf = [...same]
  let next = 0
  for (let row = 0; row <= comparator.expected; row++) {
    const anchor = row === comparator.expected ? comparator.actual : same[row]
    if (anchor === undefined) continue
    let before = row
    while (before > 0 && same[before - 1] === undefined) before--
    for (let open = before; open < row && next < anchor; open++) actualOf[open] = next++
    next = anchor + 1
  }
  return { actualOf, isSame: row => same[row] !== undefined }
}

function longestCommon(comparator: RowComparator): (number | undefined)[] {
  const { expected, actual } = comparator
  const same: (number | undefined)[] = numbers(expected).map(() => undefined)
  let start = 0
  while (start < expected && start < actual && comparator.isSame(start, start)) {
    same[start] = start
    start++
  }
  const [height, width] = [expected - start, actual - start]
  if (height * width > mostComparisons * 4) return firstCommon(comparator, same, start)
  const lengths = Array.from({ length: height + 1 }, () => new Uint32Array(width + 1))
  const fits = numbers(height).map(row =>
    numbers(width).map(other => comparator.isSame(start + row, start + other)),
  )
  for (let row = height - 1; row >= 0; row--) {
    for (let other = width - 1; other >= 0; other--) {
      const [here, below] = [lengths[row], lengths[row + 1]]
      if (here === undefined || below === undefined) continue
      here[other] = fits[row]?.[other]
        ? (below[other + 1] ?? 0) + 1
        : Math.max(below[other] ?? 0, here[other + 1] ?? 0)
    }
  }
  for (let row = 0, other = 0; row < height && other < width; ) {
    if (fits[row]?.[other]) same[start + row++] = start + other++
    else if ((lengths[row + 1]?.[other] ?? 0) >= (lengths[row]?.[other + 1] ?? 0)) row++
    else other++
  }
  return same
}

/** Pairs each row with the next equal one, which is used for very long lists. */
function firstCommon(
  comparator: RowComparator,
  same: (number | undefined)[],
  start: number,
): (number | undefined)[] {
  let next = start
  for (let row = start; row < comparator.expected; row++) {
    let other = next
    while (other < comparator.actual && !comparator.isSame(row, other)) other++
    if (other === comparator.actual) continue
    same[row] = other
    next = other + 1
  }
  return same
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
