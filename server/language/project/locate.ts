/**
 * Finds the place of a value in its file. It never fails: a missing value has the place of its nearest
 * ancestor.
 */
import { getOrInsertComputed } from '../get-or-insert.ts'
import type { MapEntry, Node, NodePath } from '../syntax/node.ts'
import { emptyRange, type Range } from '../text/range.ts'

/**
 * Returns the range of the value at `path`, or of its key. Where the path goes beyond a single value
 * (`['not_null', 0]` in `not_null: id`), it returns that value's range; for an empty file the first line.
 */
export function locate(
  asset: { readonly text: string; readonly tree: Node | undefined },
  path: NodePath,
  part: 'key' | 'value' = 'value',
): Range {
  if (asset.tree === undefined) return firstLine(asset.text)
  let node = asset.tree
  let range = path.length === 0 ? node.range : firstLine(asset.text)
  for (const [index, step] of path.entries()) {
    const entry = node.kind === 'map' ? entryOf(node.entries, step) : undefined
    const next = node.kind === 'sequence' ? node.items[Number(step)] : entry?.value
    if (entry === undefined && next === undefined) return range
    const isLast = index === path.length - 1
    const wantsKey = entry !== undefined && (next === undefined || (isLast && part === 'key'))
    range = wantsKey ? entry.key.range : (next?.range ?? range)
    if (next === undefined) return range
    node = next
  }
  return range
}

/** Returns the node at `path`; undefined if there is none. */
export function nodeAt(tree: Node | undefined, path: NodePath): Node | undefined {
  let node = tree
  for (const step of path) {
    if (node?.kind === 'map') node = entryOf(node.entries, step)?.value
    else node = node?.kind === 'sequence' ? node.items[Number(step)] : undefined
  }
  return node
}

function entryOf(entries: readonly MapEntry[], name: string | number): MapEntry | undefined {
  const key = String(name)
  return entries.length < manyEntries
    ? entries.find(entry => entry.key.value === key)
    : indexOf(entries).get(key)
}

/** From this size an index pays off: each of thousands of columns is searched by its name. */
const manyEntries = 30
const indexes = new WeakMap<readonly MapEntry[], ReadonlyMap<unknown, MapEntry>>()

function indexOf(entries: readonly MapEntry[]): ReadonlyMap<unknown, MapEntry> {
  // The first of two entries with the same key counts.
  return getOrInsertComputed(
    indexes,
    entries,
    () => new Map(entries.toReversed().map(entry => [entry.key.value, entry])),
  )
}

function firstLine(text: string): Range {
  const end = text.search(/[\r\n]/)
  return end < 0 ? { ...emptyRange, end: text.length } : { start: 0, end }
}
