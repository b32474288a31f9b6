/** The rules by which PostgreSQL reads, compares and writes names and values. */
import { withoutQuotes } from '../../sql/grammar.ts'
import { literalOf, quote } from '../quoting.ts'
import { unquotable } from './words.ts'

export { quote }

/** PostgreSQL cuts names at this many bytes. */
const longest = 63

/**
 * Returns what is left of a name after cutting; its case is part of it, as only a word without quotes is
 * folded (`plainName`). No character of UTF-16 has more than three bytes.
 */
export function fold(name: string): string {
  return name.length * 3 <= longest ? name : cut(name)
}

function cut(name: string): string {
  let bytes = 0
  let end = 0
  for (const character of name) {
    bytes += bytesOf(character.codePointAt(0) ?? 0)
    if (bytes > longest) return name.slice(0, end)
    end += character.length
  }
  return name
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

export function sameName(a: string, b: string): boolean {
  return a === b || fold(a) === fold(b)
}

/** Only A to Z have small forms for the server, in databases of UTF-8. */
export function plainName(word: string): string {
  const small = /[A-Z]/.test(word) ? word.replace(/[A-Z]+/g, letters => letters.toLowerCase()) : word
  return fold(small)
}

/** Reads `"a"` and `U&"d\0061t\+000061"`. */
export function quotedName(written: string): string {
  if (!/^u&"/i.test(written)) return fold(withoutQuotes(written))
  const inner = withoutQuotes(written.slice(2))
  return fold(
    inner.replace(/\\(?:\+([\da-f]{6})|([\da-f]{4})|(\\))/gi, (_, long?: string, short?: string) =>
      long === undefined && short === undefined ? '\\' : characterOf(long ?? short ?? ''),
    ),
  )
}

function characterOf(hexadecimal: string): string {
  const code = Number.parseInt(hexadecimal, 16)
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
}

const plainPattern = /^[a-z_][a-z0-9_$]*$/

/** Quotes a name if it needs quotes: with a capital letter it does. */
export function quoteIfNeeded(name: string): string {
  return plainPattern.test(name) && !unquotable().has(name) ? name : quote(name)
}

export function literal(value: Parameters<typeof literalOf>[0]): string {
  return literalOf(value, 'double precision')
}
