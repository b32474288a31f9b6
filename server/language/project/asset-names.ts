/**
 * Finds assets with names similar to a misspelt one. The results are cached as long as no asset is added,
 * removed or renamed.
 */
import { getOrInsertComputed } from '../get-or-insert.ts'
import { type NameIndex, newNameIndex } from '../text/name-index.ts'

/** What is called by its keys does not matter. */
type ByName = ReadonlyMap<string, unknown>

/** The cached results for one set of names. */
interface NearestNameCache {
  readonly names: NameIndex
  readonly nearest: Map<string, readonly string[]>
}

const books = new WeakMap<ByName, NearestNameCache>()

const offered = 3
/** A fuller cache is cleared: while somebody types, each prefix is another query. */
const answersKept = 2_000

/** Returns at most three names, best first, like `nearestNames`. */
export function nearestAssets(project: { readonly byName: ByName }, name: string): readonly string[] {
  const book = bookOf(project.byName)
  const known = book.nearest.get(name)
  if (known !== undefined) return known
  const nearest = book.names.nearest(name, offered)
  if (book.nearest.size >= answersKept) book.nearest.clear()
  book.nearest.set(name, nearest)
  return nearest
}

/** Shares the cache between two maps that have the same names. */
export function shareNames(before: ByName, after: ByName): void {
  books.set(after, bookOf(before))
}

function bookOf(byName: ByName): NearestNameCache {
  return getOrInsertComputed(books, byName, () => ({
    names: newNameIndex(byName.keys()),
    nearest: new Map(),
  }))
}
