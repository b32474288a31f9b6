/**
 * Finds the columns that a column comes from and flows into, over all assets, in the catalogue's lineage.
 * Pure.
 */
import type { CatalogFile, ColumnName, ColumnPath } from '@svc/server/contract'

/** Names are matched ignoring case, as in SQL. Returns undefined if there is no such column. */
export function columnPath(catalog: CatalogFile, asset: string, column: string): ColumnPath | undefined {
  const book = bookOf(catalog)
  const start = keyOf({ asset, column })
  if (!book.places.has(start)) return undefined
  const edges = new Map<string, readonly [string, string]>()
  const before = walk(start, book.sources, (from, to) => edges.set(`${from}\n${to}`, [to, from]))
  const after = walk(start, book.readers, (from, to) => edges.set(`${to}\n${from}`, [from, to]))
  const keys = [start, ...before, ...after]
  return {
    columns: keys.map(key => ({ ...placeOf(book, key), pii: book.pii.has(key) })),
    edges: [...edges.values()].map(([from, to]) => ({ from: placeOf(book, from), to: placeOf(book, to) })),
  }
}

interface ColumnBook {
  readonly places: ReadonlyMap<string, ColumnName>
  readonly pii: ReadonlySet<string>
  readonly sources: ReadonlyMap<string, readonly string[]>
  readonly readers: ReadonlyMap<string, readonly string[]>
}

/** Catalogues are never changed, so the index is kept for the next column. */
const books = new WeakMap<CatalogFile, ColumnBook>()

function bookOf(catalog: CatalogFile): ColumnBook {
  const known = books.get(catalog)
  if (known !== undefined) return known
  const places = new Map<string, ColumnName>()
  const pii = new Set<string>()
  for (const asset of catalog.assets) {
    for (const { name, pii: isPersonal } of asset.columns) {
      const place = { asset: asset.name, column: name }
      places.set(keyOf(place), place)
      if (isPersonal) pii.add(keyOf(place))
    }
  }
  const sources = new Map<string, string[]>()
  const readers = new Map<string, string[]>()
  for (const { from, to, columns } of catalog.lineage) {
    for (const pair of columns) {
      const source = { asset: from, column: pair.from }
      const reader = { asset: to, column: pair.to }
      // A column that occurs only in an edge is added (the columns of its asset are not all known).
      for (const place of [source, reader]) if (!places.has(keyOf(place))) places.set(keyOf(place), place)
      push(sources, keyOf(reader), keyOf(source))
      push(readers, keyOf(source), keyOf(reader))
    }
  }
  const book = { places, pii, sources, readers }
  books.set(catalog, book)
  return book
}

/** Walks breadth-first from the start, which is not included; cycles end. */
function walk(
  start: string,
  next: ReadonlyMap<string, readonly string[]>,
  note: (from: string, to: string) => void,
): string[] {
  const seen = new Set([start])
  const queue = [start]
  for (const key of queue) {
    for (const other of next.get(key) ?? []) {
      note(key, other)
      if (seen.has(other)) continue
      seen.add(other)
      queue.push(other)
    }
  }
  return queue.slice(1)
}

function placeOf({ places }: ColumnBook, key: string): ColumnName {
  const place = places.get(key)
  if (place === undefined) throw new Error(`no column ${key}`)
  return place
}

function keyOf({ asset, column }: ColumnName): string {
  return `${asset}\n${column.toLowerCase()}`
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
