/** A value of the warehouse as YAML that reads back as the same value, fit to stand in `[…]` and `{…}`. */
import { resolvePlainScalar } from '../syntax/plain-scalar.ts'
import { isNumeric } from './unit-types.ts'

/** `type` is that of the column; `value` is how the warehouse writes it, null for NULL. */
export function yamlValue(value: string | null, type: string): string {
  if (value === null) return 'null'
  if (isNumeric(type) && typeof resolvePlainScalar(value) === 'number') return value
  if (/^boolean$/i.test(type)) return value
  return yamlText(value)
}

/** In quotes only where YAML needs them. */
export function yamlText(text: string): string {
  const isPlain =
    /^[\p{L}\d_][\p{L}\d_ ./+:%@()'-]*$/u.test(text) &&
    !/: |:$| $/.test(text) &&
    resolvePlainScalar(text) === text
  return isPlain ? text : JSON.stringify(text)
}

/** One row: `{id: 1, status: paid}`. */
export function yamlRow(
  cells: readonly { readonly column: string; readonly value: string | null; readonly type: string }[],
): string {
  const entries = cells.map(({ column, value, type }) => `${yamlText(column)}: ${yamlValue(value, type)}`)
  return `{${entries.join(', ')}}`
}
