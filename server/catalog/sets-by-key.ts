/** Adds to the set of a key; creates the set with its first member. */
export function addTo<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const known = sets.get(key)
  if (known) known.add(value)
  else sets.set(key, new Set([value]))
}
