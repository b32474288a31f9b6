/**
 * Text files as UTF-8, whatever their encoding is. What an encoding has no character for is an error with its line, never a
 * character in its place.
 */
import { isUtf8 } from 'node:buffer'

/** A file that cannot be read as text, in words for its user: they hold no value of the file. */
export class TextFileError extends Error {
  override readonly name = 'TextFileError'
  readonly path: string
  readonly reason: string
  readonly hint: string
  readonly line: number | undefined

  constructor(
    path: string,
    reason: string,
    { hint, line }: { readonly hint: string; readonly line?: number },
  ) {
    super(`${line === undefined ? '' : `line ${line}: `}${reason} (${path})`)
    this.path = path
    this.reason = reason
    this.hint = hint
    this.line = line
  }
}

export interface Mark {
  readonly encoding: string
  readonly bytes: number
}

/** Returns the encoding that the first bytes name, as Excel and Windows write them; undefined if they name none. */
export function markOf(head: Uint8Array): Mark | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', bytes: 3 }
  if (head[0] === 0xff && head[1] === 0xfe) {
    // UTF-32 begins so too, followed by zeros; as UTF-16 it would be a text of NULs.
    return head[2] === 0 && head[3] === 0 && head.length > 3
      ? { encoding: 'utf-32', bytes: 4 }
      : { encoding: 'utf-16le', bytes: 2 }
  }
  return head[0] === 0xfe && head[1] === 0xff ? { encoding: 'utf-16be', bytes: 2 } : undefined
}

/** Returns the kind of UTF-16 that a text without a mark is, by the zeros of its plain letters. */
export function unmarkedUtf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const pairs = Math.min(head.length, 4096) >> 1
  if (pairs < 2) return undefined
  let even = 0
  let odd = 0
  for (let at = 0; at < pairs * 2; at += 2) {
    if (head[at] === 0) even++
    if (head[at + 1] === 0) odd++
  }
  if (odd * 10 >= pairs * 7 && even * 10 < pairs) return 'utf-16le'
  return even * 10 >= pairs * 7 && odd * 10 < pairs ? 'utf-16be' : undefined
}

export interface Decoder {
  /** Returns the piece as UTF-8. */
  push(piece: Buffer): Buffer
  end(): Buffer
}

/** Returns a decoder for bytes behind a mark. Its errors are `TextFileError`. */
export function decoderFor(encoding: string, path: string): Decoder {
  if (encoding === 'utf-8') return { push: piece => piece, end: () => Buffer.alloc(0) }
  if (encoding === 'latin-1' || encoding === 'windows-1252') return westernDecoder(path, encoding)
  let lines = 1
  const decoder = new TextDecoder(encoding === 'utf-16' ? 'utf-16le' : encoding, {
    fatal: true,
    ignoreBOM: true,
  })
  const decode = (piece: Buffer | undefined) => {
    try {
      const text = piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true })
      const bytes = Buffer.from(text)
      lines += countOf(bytes, 10)
      return bytes
    } catch {
      throw new TextFileError(path, `in or after line ${lines} a byte has no character in ${encoding}`, {
        hint: 'Say how the file is written with ingest.options.encoding, or save it as UTF-8.',
      })
    }
  }
  return { push: decode, end: () => decode(undefined) }
}

/** The characters of Windows-1252 from 80 to 9F; five bytes have none. */
const windows1252 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

const noCharacter = {
  'latin-1': 'Files of Excel and Windows are windows-1252: write it in ingest.options.encoding.',
  'windows-1252': 'Say how the file is written with ingest.options.encoding, or save it as UTF-8.',
}

/** Both are the first 256 characters of Unicode, but for those from 80 to 9F: ISO 8859-1 has none there. */
function westernDecoder(path: string, encoding: keyof typeof noCharacter): Decoder {
  let lines = 1
  const refuse = (piece: Buffer, at: number): never => {
    const byte = (piece[at] as number).toString(16).toUpperCase()
    const line = lines + countOf(piece.subarray(0, at), 10)
    throw new TextFileError(path, `byte ${byte} is no character of ${encoding}`, {
      line,
      hint: noCharacter[encoding],
    })
  }
  return {
    push(piece) {
      const text = piece.toString('latin1').replace(/[\x80-\x9f]/g, (character, at: number) => {
        const written = windows1252[character.charCodeAt(0) - 0x80] as string
        return encoding === 'latin-1' || written === '\0' ? refuse(piece, at) : written
      })
      lines += countOf(piece, 10)
      return Buffer.from(text)
    },
    end: () => Buffer.alloc(0),
  }
}

function countOf(bytes: Buffer, wanted: number): number {
  let count = 0
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) count++
  return count
}

/** Returns what to say of a line that is not UTF-8: its first wrong byte, and the encoding in which it means something. */
export function notUtf8(path: string, line: number, bytes: Buffer): TextFileError {
  let at = 0
  while (at < bytes.length && isUtf8(bytes.subarray(0, endOfCharacter(bytes, at))))
    at = endOfCharacter(bytes, at)
  const byte = bytes[at] as number
  const name = byte.toString(16).toUpperCase()
  const character = byte < 0xa0 ? windows1252[byte - 0x80] : String.fromCharCode(byte)
  const guess = character === '\0' ? '' : `, which is "${character}" in windows-1252`
  return new TextFileError(path, `the text is not UTF-8: byte ${name}${guess}`, {
    line,
    hint: `Say how it is written with ingest.options.encoding: windows-1252 for Excel in Western Europe and America, windows-1250 in Central Europe, windows-1251 for Cyrillic; or save the file as UTF-8.`,
  })
}

function endOfCharacter(bytes: Buffer, at: number): number {
  const byte = bytes[at] as number
  return Math.min(bytes.length, at + (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1))
}
