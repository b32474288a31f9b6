/**
 * Masks the text for the lexer and keeps all positions: the content of a tag is no SQL, an unclosed tag ends
 * with its line, and Unicode spaces become plain spaces.
 */
import type { Span } from '../tree.ts'

export interface Masked {
  readonly text: string
  /** Unclosed tags, up to their expected ends. */
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

/** Returns undefined if the next tag starts before this one ends. */
function endOfTag(text: string, start: number): number | undefined {
  const end = text.indexOf('}}', start + 2)
  if (end < 0) return undefined
  const inner = text.indexOf('{{', start + 2)
  return inner >= 0 && inner < end ? undefined : end + 2
}

const openTag =
  /\{\{[ \t]*(?:(?!(?:from|where|join|on|and|group|order)\b)\w+(?:[ \t]*\([ \t]*(?:'[^'\r\n]*'|"[^"\r\n]*"|\w+)?[ \t]*\)?)?)?/iy

/** Returns the end of the text that looks like a tag: after its bracket, or after its first word. */
function endOfOpenTag(text: string, start: number): number {
  openTag.lastIndex = start
  const [opening = '{{'] = openTag.exec(text) ?? []
  return start + opening.trimEnd().length
}

/** Returns text of the same length that the lexer reads as a tag. */
function filled(length: number): string {
  return `{{${'_'.repeat(length - 4)}}}`
}

/** Returns a word for braces that are too short to be read as a tag. */
function standIn(length: number): string {
  return length < 4 ? '_'.repeat(length) : filled(length)
}
