import type { ColumnOrigin } from '../analysis.ts'

/** What is known of an expression: where it comes from, whether unchanged, and whether its type is known. */
export interface Value {
  readonly origins: readonly ColumnOrigin[]
  /** A column passed through unchanged. */
  readonly direct: boolean
  /** Its type rests on a column of unknown type, or on an expression that was mended. */
  readonly unknown: boolean
}

export interface OutputColumn extends Value {
  /** Undefined: named by the binder after its expression. */
  readonly name: string | undefined
  /** May stand for several columns (`unnest` of a struct). */
  readonly spread?: boolean
  /** Stands for a name that nothing has: never offered in place of another. */
  readonly misspelt?: boolean
}

export const constantValue: Value = { origins: [], direct: false, unknown: false }
export const unknownValue: Value = { origins: [], direct: false, unknown: true }

/** The value of an expression over `values`. */
export function derivedFrom(values: readonly Value[]): Value {
  const only = values.length === 1 ? values[0] : undefined
  if (only) return only.direct ? { origins: only.origins, direct: false, unknown: only.unknown } : only
  return values.reduce(joined, constantValue)
}

/** Either of two values, as in a set operation: direct when both are. */
export function either(a: Value, b: Value): Value {
  return { ...joined(a, b), direct: a.direct && b.direct }
}

function joined(a: Value, b: Value): Value {
  const unknown = a.unknown || b.unknown
  if (b.origins.length === 0) return { origins: a.origins, direct: false, unknown }
  if (a.origins.length === 0) return { origins: b.origins, direct: false, unknown }
  const extra = b.origins.filter(origin => !a.origins.some(other => sameOrigin(origin, other)))
  return { origins: extra.length === 0 ? a.origins : [...a.origins, ...extra], direct: false, unknown }
}

export function sameOrigin(a: ColumnOrigin, b: ColumnOrigin): boolean {
  return a === b || (a.asset === b.asset && a.column === b.column && a.source === b.source)
}
