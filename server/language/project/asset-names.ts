/** Answers which assets have a name like a misspelt one. Remembered as long as no asset comes, goes or is renamed. */
import { type FoldedName, foldedName, nearestFolded } from '../text/nearest-names.ts'
import type { Asset, Project } from './project.ts'

type ByName = ReadonlyMap<string, Asset>

/** What was found out about one set of names. */
interface NameBook {
  folded?: readonly FoldedName[]
  readonly nearest: Map<string, readonly string[]>
}

const books = new WeakMap<ByName, NameBook>()

const offered = 3
/** A book with more answers begins anew: somebody types, and each word on the way is another one. */
const answersKept = 2_000

/** At most three, best first, as `nearestNames` gives them. */
export function nearestAssets(project: Project, name: string): readonly string[] {
  const book = bookOf(project.byName)
  const known = book.nearest.get(name)
  if (known !== undefined) return known
  book.folded ??= [...project.byName.keys()].map(foldedName)
  const found = nearestFolded(name, book.folded, offered)
  if (book.nearest.size >= answersKept) book.nearest.clear()
  book.nearest.set(name, found)
  return found
}

/** Both maps have the same names. */
export function shareNames(before: ByName, after: ByName): void {
  books.set(after, bookOf(before))
}

function bookOf(byName: ByName): NameBook {
  const known = books.get(byName)
  if (known !== undefined) return known
  const book: NameBook = { nearest: new Map() }
  books.set(byName, book)
  return book
}
