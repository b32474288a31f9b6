/** Types of raw columns as texts, which is how schemas are kept and shown; the engine compares and widens them. */
import type { EngineTypes } from '../engines/engine.ts'

/** In the engine's own words: `int` -> `INTEGER`, `decimal(12, 2)` -> `DECIMAL(12,2)`. */
export function canonicalType(type: string, types: EngineTypes): string {
  return types.print(types.parse(type))
}

/** The narrowest type that holds both. Undefined (only NULLs seen) takes the other. */
export function widenType(
  a: string | undefined,
  b: string | undefined,
  types: EngineTypes,
): string | undefined {
  if (a === undefined || b === undefined) {
    const known = a ?? b
    return known === undefined ? undefined : canonicalType(known, types)
  }
  return types.print(types.widen(types.parse(a), types.parse(b)))
}
