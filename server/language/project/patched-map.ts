/**
 * A large map with a few replaced values: it is made at once, where a copy of ten thousand entries takes
 * time.
 */

/** Larger patches are copied into a new map. */
const largestPatch = 64

/**
 * Returns `map` with another value for `key`, at its old position or at the end; undefined removes the key.
 */
export function patched<V>(
  map: ReadonlyMap<string, V>,
  key: string,
  value: V | undefined,
): ReadonlyMap<string, V> {
  const [base, patch] = partsOf(map)
  const next = new PatchedMap<V>(base, new Map(patch).set(key, value))
  return next.parts[1].size > largestPatch ? new Map(next) : next
}

/** Returns the keys whose values may differ; undefined if all of both must be compared. */
export function differingKeys<V>(
  a: ReadonlyMap<string, V>,
  b: ReadonlyMap<string, V>,
): readonly string[] | undefined {
  if (a === b) return []
  const [[baseA, patchA], [baseB, patchB]] = [partsOf(a), partsOf(b)]
  if (baseA !== baseB) return undefined
  return [...new Set([...patchA.keys(), ...patchB.keys()])].filter(key => a.get(key) !== b.get(key))
}

function partsOf<V>(map: ReadonlyMap<string, V>): readonly [ReadonlyMap<string, V>, Patch<V>] {
  return map instanceof PatchedMap ? map.parts : [map, noPatch]
}

type Patch<V> = ReadonlyMap<string, V | undefined>

const noPatch: Patch<never> = new Map()

class PatchedMap<V> implements ReadonlyMap<string, V> {
  readonly size: number
  readonly #base: ReadonlyMap<string, V>
  readonly #patch: Patch<V>

  constructor(base: ReadonlyMap<string, V>, patch: Patch<V>) {
    this.#base = base
    this.#patch = patch
    let size = base.size
    for (const [key, value] of patch) size += (value === undefined ? 0 : 1) - (base.has(key) ? 1 : 0)
    this.size = size
  }

  get parts(): readonly [ReadonlyMap<string, V>, Patch<V>] {
    return [this.#base, this.#patch]
  }

  get(key: string): V | undefined {
    const value = this.#patch.get(key)
    return value === undefined && !this.#patch.has(key) ? this.#base.get(key) : value
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  *entries(): MapIterator<[string, V]> {
    for (const entry of this.#base) {
      if (!this.#patch.has(entry[0])) {
        yield entry
        continue
      }
      const value = this.#patch.get(entry[0])
      if (value !== undefined) yield [entry[0], value]
    }
    for (const [key, value] of this.#patch)
      if (value !== undefined && !this.#base.has(key)) yield [key, value]
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value
  }

  forEach(each: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.entries()) each(value, key, this)
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries()
  }
}
