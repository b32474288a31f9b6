/** What lists need that the runtime does not have yet. */

/** Groups items by a key, in the order in which they come. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Leaves out the items whose key an earlier one has. */
export function uniqueBy<K, T>(items: readonly T[], keyOf: (item: T) => K): T[] {
  const seen = new Set<K>()
  return items.filter(item => {
    const { size } = seen
    return seen.add(keyOf(item)).size > size
  })
}
