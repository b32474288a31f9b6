/**
 * The text as the lexer gets it, each character on its place: what is inside of a tag is no SQL, a tag that nobody
 * closed ends with its line, and spaces of other alphabets are spaces.
 */
import type { Span } from '../tree.ts'

export interface Masked {
  readonly text: string
  /** Tags that are not closed, up to where they should have been. */
  readonly openTags: readonly Span[]
}

const unicodeSpaces = /[\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u3000\ufeff]/g

export function masked(text: string): Masked {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: any character of other alphabets is looked for.
  const spaced = /[^\x00-\x7f]/.test(text) ? text.replace(unicodeSpaces, ' ') : text
  return spaced.includes('{{') ? maskTags(spaced) : { text: spaced, openTags: [] }
}

function maskTags(text: string): Masked {
  const openTags: Span[] = []
  let result = ''
  let position = 0
  for (let start = text.indexOf('{{'); start >= 0; start = text.indexOf('{{', position)) {
    const end = endOfTag(text, start)
    const cut = end ?? endOfOpenTag(text, start)
    if (end === undefined) openTags.push({ start, end: cut })
    result += text.slice(position, start) + (end === undefined ? standIn(cut - start) : filled(cut - start))
    position = cut
  }
  return { text: result + text.slice(position), openTags }
}

/** Undefined: the next tag begins before this one ends. */
function endOfTag(text: string, start: number): number | undefined {
  const end = text.indexOf('}}', start + 2)
  if (end < 0) return undefined
  const inner = text.indexOf('{{', start + 2)
  return inner >= 0 && inner < end ? undefined : end + 2
}

const openTag =
  /\{\{[ \t]*(?:(?!(?:from|where|join|on|and|group|order)\b)\w+(?:[ \t]*\([ \t]*(?:'[^'\r\n]*'|"[^"\r\n]*"|\w+)?[ \t]*\)?)?)?/iy

/** As far as it looks like a tag: behind its bracket, or behind its first word. */
function endOfOpenTag(text: string, start: number): number {
  openTag.lastIndex = start
  const [found = '{{'] = openTag.exec(text) ?? []
  return start + found.trimEnd().length
}

/** A tag to the lexer, of the same length. */
function filled(length: number): string {
  return `{{${'_'.repeat(length - 4)}}}`
}

/** Of braces alone there is no tag of the same length: they are a word to the lexer. */
function standIn(length: number): string {
  return length < 4 ? '_'.repeat(length) : filled(length)
}
