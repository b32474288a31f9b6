/** Answers "did you mean": which of the known names are closest to a misspelt one. Never guesses wildly. */

/**
 * The candidates nearest to `name`, best first. Case, underscores, hyphens and spaces count little; a name that begins
 * or ends with the other is near; else Damerau-Levenshtein distance, at most about a third of the name's length.
 */
export function nearestNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = folded(name)
  if (wanted.bare === '') return []
  const found: { candidate: string; cost: number }[] = []
  for (const candidate of candidates) {
    const cost = nameCost(wanted, folded(candidate))
    if (cost !== undefined) found.push({ candidate, cost })
  }
  found.sort(
    (a, b) => a.cost - b.cost || (a.candidate < b.candidate ? -1 : a.candidate > b.candidate ? 1 : 0),
  )
  return [...new Set(found.map(each => each.candidate))].slice(0, limit)
}

interface FoldedName {
  readonly lower: string
  /** Without what separates words. */
  readonly bare: string
}

function folded(name: string): FoldedName {
  const lower = name.toLowerCase()
  return { lower, bare: lower.replace(/[_\-. ]/g, '') }
}

/** Undefined: too far away to offer. */
function nameCost(wanted: FoldedName, candidate: FoldedName): number | undefined {
  if (wanted.lower === candidate.lower) return 0
  if (wanted.bare === candidate.bare) return 0.25
  const longest = Math.max(wanted.lower.length, candidate.lower.length)
  const allowed = longest <= 2 ? 1 : Math.max(1, Math.floor(longest / 3))
  const distance = editDistance(wanted.lower, candidate.lower, allowed)
  if (distance !== undefined && distance < longest) return distance + tieBreak(wanted.lower, candidate.lower)
  return isPartOf(wanted.lower, candidate.lower)
    ? allowed + 0.5 + lengthGap(wanted, candidate) / 1000
    : undefined
}

function isPartOf(wanted: string, candidate: string): boolean {
  const [short, long] = wanted.length < candidate.length ? [wanted, candidate] : [candidate, wanted]
  if (short.length < 3 || short.length * 4 < long.length) return false
  return long.startsWith(short) || long.endsWith(short)
}

function lengthGap(a: FoldedName, b: FoldedName): number {
  return Math.abs(a.lower.length - b.lower.length)
}

/** Below 1: among equal distances the one with the same beginning and length wins. */
function tieBreak(wanted: string, candidate: string): number {
  let common = 0
  while (common < wanted.length && wanted[common] === candidate[common]) common++
  const unlike = 1 - common / Math.max(wanted.length, candidate.length)
  return unlike * 0.4 + Math.min(0.4, Math.abs(wanted.length - candidate.length) * 0.05)
}

/** Insertions, deletions, replacements and swaps of neighbours; undefined above `limit`. */
function editDistance(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let smallest = row
    for (let column = 1; column <= b.length; column++) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1)
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
      ) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1)
      }
      current.push(cost)
      if (cost < smallest) smallest = cost
    }
    if (smallest > limit) return undefined
    before = previous
    previous = current
  }
  const distance = previous[b.length] ?? 0
  return distance <= limit ? distance : undefined
}
