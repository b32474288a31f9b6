/** Detects bounds that no value can satisfy. */
import type { JsonScalar } from '../schema/definition.ts'

export function crossedBounds(min: JsonScalar | undefined, max: JsonScalar | undefined): string | undefined {
  if (min === undefined || max === undefined || !isAbove(min, max)) return undefined
  return `no value can pass: min ${min} is above max ${max}`
}

/** Compares only numbers and whole dates: the order of other texts depends on the warehouse. */
function isAbove(min: JsonScalar, max: JsonScalar): boolean {
  if (typeof min === 'number' && typeof max === 'number') return min > max
  return isDate(min) && isDate(max) && min > max
}

function isDate(value: JsonScalar): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
}
