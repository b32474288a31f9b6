/** A text file as some program writes it, and what a load must make of it. */

export interface TextCase {
  readonly name: string
  readonly bytes: Buffer
  /** The name of the file; `data.csv` by default. */
  readonly file?: string
  /** `options: {…}` of the source as YAML, without the braces. */
  readonly options?: string
  /** The contract as YAML; none by default. */
  readonly contract?: string
  readonly columns?: readonly string[]
  /** The values of all records as texts; an empty one is NULL. */
  readonly rows?: readonly (readonly string[])[]
  /** The lines that are rejected. */
  readonly rejects?: readonly number[]
  /** The codes of all warnings. */
  readonly warnings?: readonly string[]
  /** What the error must say; nothing is loaded then. */
  readonly error?: RegExp
}

export interface Writing {
  readonly delimiter: string
  readonly quote: '"' | "'"
  /** Which values stand in quotes. */
  readonly quoted: 'all' | 'needed' | 'texts'
  readonly end: string
  /** Whether the last line has an end too. */
  readonly isEnded: boolean
  readonly encoding: 'utf-8' | 'utf-8-mark' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'latin-1'
}

/** Writes records as programs do: this is the other side, which shares nothing with the reader under test. */
export function writtenTable(table: readonly (readonly string[])[], writing: Writing): Buffer {
  const { delimiter, quote, quoted, end, isEnded } = writing
  const value = (text: string) => {
    const needs = [delimiter, quote, '\n', '\r'].some(mark => text.includes(mark))
    const isNumber = /^-?[0-9.]*$/.test(text)
    const isWrapped = needs || (text !== '' && (quoted === 'all' || (quoted === 'texts' && !isNumber)))
    return isWrapped ? `${quote}${text.replaceAll(quote, quote + quote)}${quote}` : text
  }
  const text = table.map(record => record.map(value).join(delimiter)).join(end)
  return encoded(isEnded ? text + end : text, writing.encoding)
}

/** The characters of Windows-1252 that are not those of ISO 8859-1, as far as the tables here use them. */
const windows: Readonly<Record<string, number>> = {
  '€': 0x80,
  '„': 0x84,
  '…': 0x85,
  Š: 0x8a,
  '“': 0x93,
  '–': 0x96,
  ž: 0x9e,
}

export function encoded(text: string, encoding: Writing['encoding']): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-8-mark') return Buffer.from(`\ufeff${text}`)
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  return Buffer.from([...text].map(character => windows[character] ?? (character.codePointAt(0) as number)))
}
