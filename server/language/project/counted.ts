/** What counts for a hash, said so that a new key of a shape does not compile before it is decided whether it counts. */
import type { JsonValue } from '../schema/definition.ts'

/** The type of what is left of an object once all its keys are taken. */
export type Nothing = Readonly<Record<string, never>>

/** Allows no key beyond those of `Known`. */
export type OnlyKeys<T, Known> = T & Readonly<Record<Exclude<keyof T, keyof Known>, never>>

/** Keys without a value are left out of the JSON. */
export function counted(parts: Readonly<Record<string, unknown>>): JsonValue {
  return parts as JsonValue
}
