/**
 * Finds the known names that are closest to a misspelt one, for "did you mean". Distant names are never
 * suggested.
 */

/**
 * Returns the candidates nearest to `name`, best first. Case, underscores, hyphens and spaces count little; a
 * name that is a prefix or suffix of the other is near; otherwise the Damerau-Levenshtein distance may be
 * about a third of the name's length.
 */
export function nearestNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  return nearestFolded(name, Array.from(candidates, foldedName), limit)
}

/** Returns `; did you mean "orders"?`, with which a message goes on; nothing if no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const [nearest] = nearestNames(name, candidates, 1)
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`
}

/** Returns the nearest names for callers that reuse the same candidates. */
export function nearestFolded(name: string, candidates: readonly FoldedName[], limit: number): string[] {
  const wanted = foldedName(name)
  if (wanted.bare === '') return []
  const near: { candidate: string; cost: number }[] = []
  for (const candidate of candidates) {
    const cost = nameCost(wanted, candidate)
    if (cost !== undefined) near.push({ candidate: candidate.name, cost })
  }
  near.sort((a, b) => a.cost - b.cost || (a.candidate < b.candidate ? -1 : a.candidate > b.candidate ? 1 : 0))
  return [...new Set(near.map(each => each.candidate))].slice(0, limit)
}

export interface FoldedName {
  readonly name: string
  readonly lower: string
  /** The name without word separators. */
  readonly bare: string
}

export function foldedName(name: string): FoldedName {
  const lower = name.toLowerCase()
  return { name, lower, bare: lower.replace(/[_\-. ]/g, '') }
}

/** Returns undefined if the candidate is too distant to be suggested. */
function nameCost(wanted: FoldedName, candidate: FoldedName): number | undefined {
  if (wanted.lower === candidate.lower) return 0
  if (wanted.bare === candidate.bare) return 0.25
  const longest = Math.max(wanted.lower.length, candidate.lower.length)
  const allowed = allowedDistance(longest)
  const distance = editDistance(wanted.lower, candidate.lower, allowed)
  if (distance !== undefined && distance < longest) return distance + tieBreak(wanted.lower, candidate.lower)
  return isPartOf(wanted.lower, candidate.lower)
    ? allowed + 0.5 + lengthGap(wanted, candidate) / 1000
    : undefined
}

/** The distance up to which two names are near, by the length of the longer one. */
export function allowedDistance(longest: number): number {
  return Math.max(1, Math.floor(longest / 3))
}

function isPartOf(wanted: string, candidate: string): boolean {
  const [short, long] = wanted.length < candidate.length ? [wanted, candidate] : [candidate, wanted]
  if (short.length < 3 || short.length * 4 < long.length) return false
  return long.startsWith(short) || long.endsWith(short)
}

function lengthGap(a: FoldedName, b: FoldedName): number {
  return Math.abs(a.lower.length - b.lower.length)
}

/** Returns a value below 1: among equal distances the name with the same beginning and length wins. */
function tieBreak(wanted: string, candidate: string): number {
  let common = 0
  while (common < wanted.length && wanted[common] === candidate[common]) common++
  const unlike = 1 - common / Math.max(wanted.length, candidate.length)
  return unlike * 0.4 + Math.min(0.4, Math.abs(wanted.length - candidate.length) * 0.05)
}

/** Three rows of the distance table, reused because thousands of names are compared at a keystroke. */
let rows: readonly [Uint32Array, Uint32Array, Uint32Array] = newRows(64)

function newRows(length: number): typeof rows {
  return [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)]
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbours; undefined above `limit`.
 * Only cells near the diagonal are computed: all others are above the limit.
 */
export function editDistance(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined
  if (b.length >= rows[0].length) rows = newRows(b.length * 2)
  const tooFar = limit + 1
  let [before, previous, current] = rows
  for (let column = 0; column <= b.length; column++) previous[column] = Math.min(column, tooFar)
  for (let row = 1; row <= a.length; row++) {
    const [first, last] = [Math.max(1, row - limit), Math.min(b.length, row + limit)]
    current[first - 1] = first === 1 ? Math.min(row, tooFar) : tooFar
    let smallest = current[first - 1] ?? tooFar
    for (let column = first; column <= last; column++) {
      const cost = costAt(a, b, row, column, before, previous, current)
      current[column] = Math.min(cost, tooFar)
      if (cost < smallest) smallest = cost
    }
    if (last < b.length) current[last + 1] = tooFar
    if (smallest > limit) return undefined
    ;[before, previous, current] = [previous, current, before]
  }
  const distance = previous[b.length] ?? tooFar
  return distance <= limit ? distance : undefined
}

function costAt(
  a: string,
  b: string,
  row: number,
  column: number,
  before: Uint32Array,
  previous: Uint32Array,
  current: Uint32Array,
): number {
  const [left, above] = [a.charCodeAt(row - 1), b.charCodeAt(column - 1)]
  const replaced = (previous[column - 1] ?? 0) + (left === above ? 0 : 1)
  const cost = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced)
  const isSwap = row > 1 && column > 1 && left === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === above
  return isSwap ? Math.min(cost, (before[column - 2] ?? 0) + 1) : cost
}
