/** Resolves an unquoted YAML scalar to its value (YAML 1.2 core schema), for both parsers. */

const words: ReadonlyMap<string, boolean | null> = new Map([
  ['', null],
  ['~', null],
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])

const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const wholeNumber = /^[-+]?\d+$/
const octal = /^0o[0-7]+$/
const hexadecimal = /^0x[\da-fA-F]+$/

/**
 * Returns the value. An integer that a double cannot hold exactly stays text, so that no digit of an id is
 * lost; so do infinities and not-a-number, which JSON does not have.
 */
export function resolvePlainScalar(text: string): string | number | boolean | null {
  const first = text.charCodeAt(0)
  const mayBeNumber = (first >= 43 && first <= 57) || Number.isNaN(first)
  if (!mayBeNumber) {
    const word = words.get(text)
    return word === undefined ? text : word
  }
  if (text === '') return null
  if (decimal.test(text)) return exactNumber(text, wholeNumber.test(text))
  if (octal.test(text) || hexadecimal.test(text)) return exactNumber(text, true)
  return text
}

function exactNumber(text: string, whole: boolean): string | number {
  const value = Number(text)
  if (!Number.isFinite(value) || (whole && !Number.isSafeInteger(value))) return text
  return value === 0 ? 0 : value
}
