/** Questions about the types of columns in unit tests, by their names in the warehouse. */

export function isInteger(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?)$/i.test(type)
}

export function isFloat(type: string): boolean {
  return /^(FLOAT|DOUBLE|REAL)$/i.test(type)
}

/** Digits behind the point of a DECIMAL; undefined: it is none. */
export function decimalScale(type: string): number | undefined {
  const match = /^DECIMAL\(\d+,\s*(\d+)\)$/i.exec(type)
  return match === null ? undefined : Number(match[1])
}

export function isNumeric(type: string): boolean {
  return isInteger(type) || isFloat(type) || decimalScale(type) !== undefined
}

/** Made of others: `INTEGER[]`, `STRUCT(…)`, `MAP(…)`. */
export function isNested(type: string): boolean {
  return /[[\]]$|^(STRUCT|MAP|UNION)\b/i.test(type)
}

const number = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i

/**
 * Whether a number would lose something as a value of `type`: the warehouse rounds `1.5` to an INTEGER without a word,
 * and a test that is rounded passes where it should fail.
 */
export function isRounded(text: string, type: string): boolean {
  if (!number.test(text)) return false
  const scale = isInteger(type) ? 0 : decimalScale(type)
  return scale !== undefined && digitsBehindPoint(text) > scale
}

/** Without zeros at the end: `1.50` has one. */
function digitsBehindPoint(text: string): number {
  const [, fraction = '', exponent = '0'] = /^[^.e]*(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(text.trim()) ?? []
  return Math.max(0, fraction.replace(/0+$/, '').length - Number(exponent))
}

/** A date with a time of day is rounded too. */
export function losesTime(text: string, type: string): boolean {
  return /^date$/i.test(type) && /^\s*\d{4}-\d{2}-\d{2}[T ].*[1-9]/.test(text)
}

/** The warehouse's type for values of a column of which nothing is known. */
export function guessedType(values: readonly { readonly text: string; readonly plain: string }[]): string {
  if (values.length === 0) return 'VARCHAR'
  if (values.every(({ plain }) => plain === 'boolean')) return 'BOOLEAN'
  if (!values.every(({ plain }) => plain === 'number')) return 'VARCHAR'
  return values.every(({ text }) => /^[-+]?\d+$/.test(text)) ? 'BIGINT' : 'DOUBLE'
}
