import type { Kind } from './kind.ts'

/** Makes something once per kind: a schema is compiled once only if it is always the same object. */
export function perKind<T>(make: (kind: Kind) => T): (kind: Kind) => T {
  const made = new Map<Kind, T>()
  return kind => {
    const known = made.get(kind) ?? make(kind)
    made.set(kind, known)
    return known
  }
}
