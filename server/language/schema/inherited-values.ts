/** Values that stand for a place elsewhere, where a file itself says nothing: for the folder of an asset. */
import type { JsonValue } from './definition.ts'
import type { Reading } from './read-scalar.ts'

/** Values by name; a list that keeps its indices may have holes. */
export type Values = { readonly [name: string]: Value }
export type Value = JsonValue | Values | readonly (Value | undefined)[]

export function isValues(value: Value | undefined): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the inherited value of a key of the mapping that is being read. */
export function inheritedAt({ inherited }: Reading, property: string): Value | undefined {
  return isValues(inherited) ? inherited[property] : undefined
}

/** Returns the reading for the value of a key. */
export function below(reading: Reading, property: string): Reading {
  return reading.inherited === undefined ? reading : { ...reading, inherited: inheritedAt(reading, property) }
}

/** Adds the items of a list to those that are inherited. */
export function withInherited({ inherited }: Reading, own: readonly Value[]): readonly Value[] {
  return Array.isArray(inherited) ? [...new Set([...(inherited as readonly Value[]), ...own])] : own
}
