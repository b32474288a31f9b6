/** The rules by which DuckDB compares and writes names and values. */
import { duckdbWords } from './words.ts'

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

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
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

export function literal(value: string | number | bigint | boolean | null): string {
  if (value === null) return 'NULL'
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return `CAST('${value}' AS DOUBLE)`
  return String(value)
}

/** Writes a text as an SQL literal. NUL ends an SQL text, so it is written as `chr(0)`. */
function text(value: string): string {
  const parts = value.split('\0').map(part => `'${part.replaceAll("'", "''")}'`)
  return parts.length === 1 ? (parts[0] ?? "''") : `(${parts.join(' || chr(0) || ')})`
}
