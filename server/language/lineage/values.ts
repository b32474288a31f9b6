import type { ColumnOrigin } from '../analysis.ts'

/** What is known of an expression: where it comes from, whether unchanged, and whether its type is known. */
export interface Value {
  readonly origins: readonly ColumnOrigin[]
  /** A column passed through unchanged. */
  readonly direct: boolean
  /** Its type rests on a column of unknown type, or on an expression that was mended. */
  readonly unknown: boolean
  /** Those of `origins` of which no value can be read here: a hash, a count, an answer of yes or no. Absent: none. */
  readonly hidden?: readonly ColumnOrigin[]
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
  if (only)
    return only.direct
      ? { origins: only.origins, direct: false, unknown: only.unknown, ...hiddenOf(only) }
      : only
  return values.reduce(joined, constantValue)
}

/** Either of two values, as in a set operation: direct when both are. */
export function either(a: Value, b: Value): Value {
  return { ...joined(a, b), direct: a.direct && b.direct }
}

function joined(a: Value, b: Value): Value {
  const unknown = a.unknown || b.unknown
  if (b.origins.length === 0) return { origins: a.origins, direct: false, unknown, ...hiddenOf(a) }
  if (a.origins.length === 0) return { origins: b.origins, direct: false, unknown, ...hiddenOf(b) }
  const extra = b.origins.filter(origin => !a.origins.some(other => sameOrigin(origin, other)))
  const origins = extra.length === 0 ? a.origins : [...a.origins, ...extra]
  return { origins, direct: false, unknown, ...hiddenInBoth(a, b) }
}

function hiddenOf({ hidden }: Value): Pick<Value, 'hidden'> {
  return hidden === undefined ? {} : { hidden }
}

/** What either of them shows can be read. */
function hiddenInBoth(a: Value, b: Value): Pick<Value, 'hidden'> {
  if (a.hidden === undefined && b.hidden === undefined) return {}
  // One entry an origin: thousands of conditions may ask for the same column.
  const [first, second] = [a.hidden ?? [], b.hidden ?? []]
  const hidden = [...first, ...second.filter(origin => !isIn(first, origin))].filter(
    origin => !isLegible(a, origin) && !isLegible(b, origin),
  )
  return hidden.length === 0 ? {} : { hidden }
}

function isLegible({ origins, hidden = [] }: Value, origin: ColumnOrigin): boolean {
  return isIn(origins, origin) && !isIn(hidden, origin)
}

function isIn(list: readonly ColumnOrigin[], origin: ColumnOrigin): boolean {
  return list.some(other => sameOrigin(origin, other))
}

/** The same value when all that can be seen of it is a hash, a number of rows, or yes or no. */
export function concealed(value: Value): Value {
  return value.origins.length === 0 ? value : { ...value, hidden: value.origins }
}

export function sameOrigin(a: ColumnOrigin, b: ColumnOrigin): boolean {
  return a === b || (a.asset === b.asset && a.column === b.column && a.source === b.source)
}
