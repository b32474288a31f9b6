/**
 * Types of raw columns as texts, the form in which schemas are stored and shown; the engine compares and
 * widens them.
 */
import type { EngineTypes } from '../engines/engine.ts'

/** Returns the engine's name of a type: `int` becomes `INTEGER`, `decimal(12, 2)` becomes `DECIMAL(12,2)`. */
export function canonicalType(type: string, types: EngineTypes): string {
  return types.print(types.parse(type))
}

/** Returns the narrowest type that holds both. Undefined (only NULLs seen) gives the other. */
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
