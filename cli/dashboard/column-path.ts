/** Where a column comes from and what it flows into, over all assets, out of the catalogue's lineage. Pure. */
import type { CatalogFile, ColumnName, ColumnPath } from '@svc/server/contract'

/** Names as they are in the catalogue; case does not matter, as in SQL. Undefined: there is no such column. */
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

/** A catalogue is never changed; a page asks for one column after the other. */
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
      // A column of an edge that no list has (its asset's columns are not all known) is one all the same.
      for (const place of [source, reader]) if (!places.has(keyOf(place))) places.set(keyOf(place), place)
      push(sources, keyOf(reader), keyOf(source))
      push(readers, keyOf(source), keyOf(reader))
    }
  }
  const book = { places, pii, sources, readers }
  books.set(catalog, book)
  return book
}

/** Nearest first, without the start; a cycle ends where it began. */
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
