/** Values that are worked out when they are first asked for, and then kept. */

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Keeps one value for each object, for as long as the object is used; further arguments must follow from it. */
export function oncePer<K extends WeakKey, Rest extends readonly unknown[], T>(
  make: (key: K, ...rest: Rest) => T,
): (key: K, ...rest: Rest) => T {
  const values = new WeakMap<K, { readonly value: T }>()
  return (key, ...rest) => {
    const known = values.get(key) ?? { value: make(key, ...rest) }
    values.set(key, known)
    return known.value
  }
}
