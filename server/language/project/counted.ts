/**
 * Types that list which keys count for a hash, so that a new key does not compile before that is decided for
 * it.
 */
import type { JsonValue } from '../schema/definition.ts'

/** The type of the rest of an object after all its keys are taken. */
export type Nothing = Readonly<Record<string, never>>

/** Allows no keys beyond those of `Known`. */
export type OnlyKeys<T, Known> = T & Readonly<Record<Exclude<keyof T, keyof Known>, never>>

/** Types the parts as JSON; keys without a value are left out when it is written. */
export function counted(parts: Readonly<Record<string, unknown>>): JsonValue {
  return parts as JsonValue
}
