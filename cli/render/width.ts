/** Computes the width of text on a terminal, and fits text into a width. */
import { eastAsianWidth } from 'get-east-asian-width'
import { formatCount } from './numbers.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence starts with a control character.
const escapes = /\u001b\[[0-9;]*m/g
/** Characters that are one column wide and never combine; ICU takes 18 ms for its first answer. */
const narrow =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u257f\u2713-\u2718\u2800-\u28ff]*$/

/**
 * Returns the width of `text`: wide characters (CJK, emoji) count two, combining marks and escape sequences
 * none.
 */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length
  const plain = text.replace(escapes, '')
  if (narrow.test(plain)) return plain.length
  let width = 0
  for (const { segment } of segmenter().segment(plain)) width += clusterWidth(segment)
  return width
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text
}

/** Cuts plain text (without escape sequences) to `width` columns, with `…` if something was cut. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of segmenter().segment(text)) {
    const next = clusterWidth(segment)
    if (used + next > width - 1) break
    kept += segment
    used += next
  }
  return `${kept}…`
}

/** Wraps plain text at spaces into lines of at most `width` columns; a longer word stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) lines.push(...wrapParagraph(paragraph, width))
  return lines
}

/** Wraps plain text behind a head, which may have colours; further lines stand below the text. */
export function wrapBehind(head: string, text: string, width: number): string[] {
  const room = displayWidth(head)
  return wrap(text, width - room).map((line, index) => (index === 0 ? head : ' '.repeat(room)) + line)
}

function wrapParagraph(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  lines.push(line)
  return lines
}

/** Returns one visible line of any value: control characters would move the cursor or end the line. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, character => controlPictures[character] ?? '�')
}

/**
 * Replaces control characters from users' files, servers and arguments, which could move the cursor or set the title.
 * `isColoured`: svc's own colours are kept.
 */
export function withoutControls(text: string, isColoured: boolean): string {
  return text.replace(isColoured ? controlsButColours : controls, '�')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const controlsButColours = new RegExp(`(?!\\u001b\\[[0-9;]*m)${controls.source}`, 'g')

/** Replaces marks that turn the direction of text, which make a name look like another one to a reader. */
export function withoutTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '�')
}

/** Shortens a given text, so that it can be shown in a message. */
export function clip(text: string, longest: number): string {
  if (text.length <= longest) return text
  const end = text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')
  return `${end}… (${formatCount(text.length - longest)} more characters)`
}

const controlPictures: Readonly<Record<string, string>> = { '\n': '↵', '\t': '→', '\r': '' }

let shared: Intl.Segmenter | undefined
function segmenter(): Intl.Segmenter {
  shared ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return shared
}

const zeroWidth = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]+$/u
const emoji = /\p{Emoji_Presentation}|\ufe0f/u

function clusterWidth(cluster: string): number {
  if (zeroWidth.test(cluster)) return 0
  if (emoji.test(cluster)) return 2
  return eastAsianWidth(cluster.codePointAt(0) ?? 0)
}

/** Returns Markdown as a terminal shows it: backticks mean nothing there. */
export function plain(markdown: string): string {
  return markdown.replaceAll('`', '')
}
