/** Writes a warehouse value as YAML that reads back as the same value, also inside `[…]` and `{…}`. */
import { isNumeric, type TypeFamily } from '../engines/sql-type.ts'
import { resolvePlainScalar } from '../syntax/plain-scalar.ts'

/**
 * Returns the YAML. `family` is that of the column's type; `value` is the warehouse's text, null for NULL.
 */
export function yamlValue(value: string | null, family: TypeFamily): string {
  if (value === null) return 'null'
  if (isNumeric(family) && typeof resolvePlainScalar(value) === 'number') return value
  if (family === 'boolean') return value
  return yamlText(value)
}

/** Quotes a text only if YAML needs it. */
export function yamlText(text: string): string {
  const isPlain =
    /^[\p{L}\d_][\p{L}\d_ ./+:%@()'-]*$/u.test(text) &&
    !/: |:$| $/.test(text) &&
    resolvePlainScalar(text) === text
  return isPlain ? text : JSON.stringify(text)
}

/** Returns one row: `{id: 1, status: paid}`. */
export function yamlRow(
  cells: readonly { readonly column: string; readonly value: string | null; readonly family: TypeFamily }[],
): string {
  const entries = cells.map(({ column, value, family }) => `${yamlText(column)}: ${yamlValue(value, family)}`)
  return `{${entries.join(', ')}}`
}
