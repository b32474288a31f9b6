/** Answers questions about column types in unit tests. */
import type { EngineTypes } from '../engines/engine.ts'
import type { SqlType } from '../engines/sql-type.ts'

/** Returns the number of decimal places of a decimal type; undefined for other types, and for one of any number of them. */
export function decimalScale(type: SqlType, types: EngineTypes): number | undefined {
  const isDecimal = type.kind === 'scalar' && types.family(type) === 'decimal'
  return isDecimal && type.parameters.length > 0 ? (type.parameters[1] ?? 0) : undefined
}

const number = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i

/**
 * Returns whether a number would lose digits as a value of `type`: the warehouse silently rounds `1.5` to an
 * integer, and a rounded test could pass where it should fail.
 */
export function isRounded(text: string, type: SqlType, types: EngineTypes): boolean {
  if (!number.test(text)) return false
  const scale = types.family(type) === 'integer' ? 0 : decimalScale(type, types)
  return scale !== undefined && digitsBehindPoint(text) > scale
}

/** Returns the number of decimal places without trailing zeros: `1.50` has one. */
function digitsBehindPoint(text: string): number {
  const [, fraction = '', exponent = '0'] = /^[^.e]*(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(text.trim()) ?? []
  return Math.max(0, fraction.replace(/0+$/, '').length - Number(exponent))
}

/** Returns whether a date would lose a time of day. */
export function losesTime(text: string, type: SqlType, types: EngineTypes): boolean {
  return types.family(type) === 'date' && /^\s*\d{4}-\d{2}-\d{2}[T ].*[1-9]/.test(text)
}

/** Returns the warehouse's type for the values of a column of unknown type. */
export function guessedType(
  values: readonly { readonly text: string; readonly plain: string }[],
  { usual }: EngineTypes,
): string {
  if (values.length === 0) return usual.text
  if (values.every(({ plain }) => plain === 'boolean')) return usual.boolean
  if (!values.every(({ plain }) => plain === 'number')) return usual.text
  return values.every(({ text }) => /^[-+]?\d+$/.test(text)) ? usual.integer : usual.float
}
