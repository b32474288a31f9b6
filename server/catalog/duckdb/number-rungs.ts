/**
 * The types that texts of numbers can have. A fraction that no DOUBLE gives back with all its digits makes the column one of
 * decimals, which keep them; a DOUBLE that rounds comes then, for numbers of so many digits that no decimal holds all of them.
 * Numbers that are too large or too small for it, or whole ones that it would round, stay texts.
 */
import { quoteLiteral } from './quoting.ts'
import type { Ladder, Rung, Test } from './type-rungs.ts'

/** Returns the types of numbers with such a decimal point, the narrowest first. */
export function numberLadder(point: string): Ladder {
  const fraction = point === '.' ? '\\.' : point
  const floating = (integer: string) =>
    `-?(${integer}(${fraction}[0-9]*)?|${fraction}[0-9]+)([eE][-+]?[0-9]+)?|-?(?i:inf|infinity)|(?i:nan)`
  const double = floating('(0|[1-9][0-9]{0,14})')
  // A number with more digits than the type holds is no value of it; a cast to DOUBLE would round it.
  const isLong = matches('-?[1-9][0-9]{14,}')
  const number = (type: string, pattern: string): Rung => ({
    type,
    fits: matches(pattern),
    changes: value => `(TRY_CAST(${replaced(value, point)} AS ${type}) IS NOT NULL AND NOT ${isLong(value)})`,
  })
  const rounded = withinRange(number('DOUBLE', double), point)
  return [
    number('BIGINT', '-?(0|[1-9][0-9]{0,17})'),
    number('HUGEINT', '-?(0|[1-9][0-9]{0,37})'),
    { ...rounded, fits: value => `(${rounded.fits(value)} AND ${givenBack(value, point)})` },
    // How many digits there may be is said by the whole column.
    {
      type: 'DECIMAL',
      fits: matches(`-?((0|[1-9][0-9]{0,37})(${fraction}[0-9]*)?|${fraction}[0-9]+)`),
      changes: value => `TRY_CAST(${replaced(value, point)} AS DOUBLE) IS NOT NULL`,
    },
    { ...rounded, rounds: true },
    { ...number('VARCHAR', floating('(0|[1-9][0-9]*)')), staysText: true },
  ]
}

/** A text of so many characters has no more than fifteen digits, which a DOUBLE always gives back. */
const certainLength = 16

/**
 * Returns a condition for a text whose digits are those of the shortest text of its DOUBLE. Zeros around them, the sign, the
 * point and the exponent do not count: two numbers as near to each other as a rounding differ in the digits.
 */
function givenBack(value: string, point: string): string {
  const text = replaced(value, point)
  const shortest = `CAST(TRY_CAST(${text} AS DOUBLE) AS VARCHAR)`
  const isSame = `(${shortest} = ${text} OR ${digitsOf(shortest)} = ${digitsOf(value)})`
  return `(length(${value}) <= ${certainLength} OR NOT regexp_matches(${value}, '[0-9]') OR coalesce(${isSame}, false))`
}

function digitsOf(text: string): string {
  return `trim(regexp_replace(regexp_replace(${text}, '[eE].*', ''), '[^0-9]', '', 'g'), '0')`
}

/** No number becomes infinity or zero because it is too large or too small. */
function withinRange({ type, fits, changes }: Rung, point: string): Rung {
  const isOutside = (value: string) => {
    const double = `TRY_CAST(${replaced(value, point)} AS DOUBLE)`
    const isZero = `${double} = 0 AND regexp_matches(${value}, '^[^eE]*[1-9]')`
    return `((contains(${value}, 'e') OR contains(${value}, 'E')) AND coalesce((isinf(${double}) AND NOT regexp_matches(${value}, '[iI]')) OR (${isZero}), false))`
  }
  return {
    type,
    fits: value => `(${fits(value)} AND NOT ${isOutside(value)})`,
    changes: value => `(${changes(value)} AND NOT ${isOutside(value)})`,
  }
}

/** Returns SQL of a number's text with a point. */
export function replaced(value: string, decimalSeparator: string | undefined): string {
  return decimalSeparator === undefined || decimalSeparator === '.'
    ? value
    : `replace(${value}, ${quoteLiteral(decimalSeparator)}, '.')`
}

export function matches(pattern: string): Test {
  return value => `regexp_full_match(${value}, ${quoteLiteral(pattern)})`
}
