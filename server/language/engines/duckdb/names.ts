/** The rules by which DuckDB compares and writes names and values. */
import { literalOf, quote } from '../quoting.ts'
import { duckdbWords } from './words.ts'

export { quote }

/**
 * Folds a name. DuckDB ignores the case of A to Z only: `"É"` and `"é"` are different names. Called millions
 * of times, mostly for lower-case names.
 */
export function fold(name: string): string {
  const small = name.toLowerCase()
  if (small === name || isPlain(name)) return small
  return name.replace(/[A-Z]+/g, letters => letters.toLowerCase())
}

function isPlain(name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    if (name.charCodeAt(index) > 127) return false
  }
  return true
}

export function sameName(a: string, b: string): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) {
    if (foldedCode(a.charCodeAt(index)) !== foldedCode(b.charCodeAt(index))) return false
  }
  return true
}

function foldedCode(code: number): number {
  return isCapital(code) ? code + 32 : code
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Quotes a name if it needs quotes. Upper-case letters need none, because names are compared without case.
 */
export function quoteIfNeeded(name: string): string {
  return plainName.test(name) && !duckdbWords.reserved.has(fold(name)) ? name : quote(name)
}

/** Quotes a field name as DuckDB prints it in types: every keyword is quoted. */
export function quoteAsPrinted(name: string): string {
  return plainName.test(name) && !duckdbWords.keywords.has(fold(name)) ? name : quote(name)
}

export function literal(value: Parameters<typeof literalOf>[0]): string {
  return literalOf(value, 'DOUBLE')
}
