/**
 * Looks up the nearest of many names. Where thousands of names are misspelt (a table is another one, a prefix was renamed) and
 * thousands are known, comparing all with all takes minutes. Here the cost of one look-up has an upper bound, whatever the
 * number of names, and its answer depends on nothing but the names.
 */
import { oncePer } from '../once.ts'
import { allowedDistance, type FoldedName, foldedName, nearestFolded } from './nearest-names.ts'

export interface NameIndex {
  /** Returns the names nearest to `name`, best first, as `nearestNames` does. */
  nearest(name: string, limit?: number): string[]
}

/** Up to so many names, each is compared letter by letter. */
export const fewNames = 128
/** Of more names, so many are compared for one look-up. */
export const mostCompared = 40
/** So many entries of the lists of names with the same pair of letters are read for one look-up. */
const mostRead = 4096

/** Makes an index of names, which are read when the first name is looked up. */
export function newNameIndex(names: Iterable<string>): NameIndex {
  let index: PairIndex | undefined
  return {
    nearest(name, limit = 3) {
      index ??= newPairIndex([...new Set(names)].map(foldedName))
      const { folded } = index
      return nearestFolded(name, folded.length > fewNames ? likely(index, name) : folded, limit)
    },
  }
}

/** The index of a list that stays as it is, for as long as the list is used. */
export const nameIndexOf: (names: readonly string[]) => NameIndex = oncePer(newNameIndex)

interface PairIndex {
  readonly folded: readonly FoldedName[]
  /** The positions of the names in which two letters follow each other. */
  readonly byPair: ReadonlyMap<number, readonly number[]>
  readonly byBare: ReadonlyMap<string, readonly number[]>
  /** How many different pairs each name has. */
  readonly pairs: Uint16Array
  readonly lengths: Uint16Array
  /** How many pairs each name shares with the one that is looked up; all zero between two look-ups. */
  readonly shared: Uint16Array
}

function newPairIndex(folded: readonly FoldedName[]): PairIndex {
  const byPair = new Map<number, number[]>()
  const byBare = new Map<string, number[]>()
  const [pairs, lengths] = [new Uint16Array(folded.length), new Uint16Array(folded.length)]
  if (folded.length > fewNames)
    for (const [position, { lower, bare }] of folded.entries()) {
      addTo(byBare, bare, position)
      lengths[position] = lower.length
      for (const pair of pairsOf(lower)) {
        addTo(byPair, pair, position)
        pairs[position] = (pairs[position] ?? 0) + 1
      }
    }
  return { folded, byPair, byBare, pairs, lengths, shared: new Uint16Array(folded.length) }
}

function addTo<K>(lists: Map<K, number[]>, key: K, position: number): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [position])
  else list.push(position)
}

/** The different pairs of letters that follow each other; the ends count as letters. */
function pairsOf(lower: string): ReadonlySet<number> {
  const found = new Set<number>()
  let before = 0
  for (let at = 0; at <= lower.length; at++) {
    const letter = at < lower.length ? lower.charCodeAt(at) : 0
    found.add(before * 65_536 + letter)
    before = letter
  }
  return found
}

/** Returns the names that may be near by the pairs they share, those with the most in common first. */
function likely(index: PairIndex, name: string): readonly FoldedName[] {
  const { folded, byBare, pairs, lengths, shared } = index
  const wanted = foldedName(name)
  const own = pairsOf(wanted.lower)
  const { touched, unread } = countShared(index, own)
  const byRank: number[][] = []
  for (const position of touched) {
    const common = (shared[position] ?? 0) + unread
    shared[position] = 0
    const other = pairs[position] ?? 0
    const rank = Math.max(0, Math.max(own.size, other) - common)
    const longest = Math.max(wanted.lower.length, lengths[position] ?? 0)
    // A letter more, less or instead changes at most two pairs, a swap three. The beginning or the end of a name has all pairs but one.
    if (rank > allowedDistance(longest) * 3 && Math.min(own.size, other) - common > 1) continue
    while (byRank.length <= rank) byRank.push([])
    const alike = byRank[rank]
    if (alike !== undefined && alike.length < mostCompared) alike.push(position)
  }
  const chosen = (byBare.get(wanted.bare) ?? []).slice(0, mostCompared)
  for (const alike of byRank) {
    if (chosen.length >= mostCompared) break
    chosen.push(...alike.slice(0, mostCompared - chosen.length))
  }
  return chosen.flatMap(position => folded[position] ?? [])
}

/** Counts for each name the pairs that it shares; the rarest pairs say most and are read first. */
function countShared({ byPair, shared }: PairIndex, own: ReadonlySet<number>) {
  const lists = [...own].flatMap(pair => {
    const list = byPair.get(pair)
    return list === undefined ? [] : [list]
  })
  lists.sort((a, b) => a.length - b.length)
  const touched: number[] = []
  let unread = 0
  let left = mostRead
  for (const list of lists) {
    const end = Math.min(list.length, left)
    if (end < list.length) unread += 1
    for (let at = 0; at < end; at++) {
      const position = list[at] ?? 0
      const before = shared[position] ?? 0
      if (before === 0) touched.push(position)
      shared[position] = before + 1
    }
    left -= end
  }
  return { touched, unread }
}
