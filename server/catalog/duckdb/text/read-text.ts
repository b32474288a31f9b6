/** Reads text files from start to end as UTF-8: unpacked, decoded, without the mark of their encoding. */
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { packingOf } from '../../../language/index.ts'
import { pieceSize, readInPieces } from '../../source/read-in-pieces.ts'
import { decoderFor, markOf, TextFileError, unmarkedUtf16 } from './decode.ts'
import { unpackedHead } from './unpacked-head.ts'

/** So much of a file shows how it is written. */
const headBytes = 1 << 20
/** So much shows how a text is written, and which columns it has. */
const mostUnpacked = 16 << 20

export interface TextReading {
  readonly encoding: string
  readonly signal?: AbortSignal | undefined
  /** Called with the bytes as they are in the file. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined
}

/** Yields the text in pieces. */
export async function* textOf(
  path: string,
  { encoding, signal, onBytes }: TextReading,
): AsyncGenerator<Buffer> {
  const file = readInPieces(path, signal)
  if (onBytes !== undefined) file.on('data', chunk => onBytes(chunk as Buffer))
  const decoder = decoderFor(encoding, path)
  let isFirst = true
  try {
    for await (const piece of unpacked(path, file)) {
      const bytes = isFirst ? piece.subarray(markBytes(piece, encoding)) : piece
      isFirst = false
      const text = decoder.push(bytes)
      if (text.length > 0) yield text
    }
    const rest = decoder.end()
    if (rest.length > 0) yield rest
  } finally {
    file.destroy()
  }
}

/** A mark of another encoding than the one that was asked for is a character of the text. */
function markBytes(piece: Buffer, encoding: string): number {
  const mark = markOf(piece)
  const isOwn = mark?.encoding === encoding || (encoding === 'utf-16' && mark?.encoding === 'utf-16le')
  return mark !== undefined && isOwn ? mark.bytes : 0
}

function unpacked(path: string, file: NodeJS.ReadableStream): AsyncIterable<Buffer> {
  if (packingOf(path) !== 'gz') return file as unknown as AsyncIterable<Buffer>
  const gunzip = createGunzip({ chunkSize: pieceSize })
  file.on('error', error => gunzip.destroy(error))
  return file.pipe(gunzip)
}

export interface TextHead {
  readonly encoding: string
  readonly hasMark: boolean
  /** The beginning as UTF-8. */
  readonly text: Buffer
  readonly isWhole: boolean
}

/** Returns the beginning of a file with its encoding. `given`: the encoding that the user names. */
export async function textHead(path: string, given: string | undefined): Promise<TextHead> {
  const { bytes, isWhole } = await readHead(path)
  const mark = markOf(bytes)
  if (mark?.encoding === 'utf-32') {
    throw new TextFileError(path, 'the text is UTF-32', { hint: 'Save the file as UTF-8.' })
  }
  const isMarkOf = mark !== undefined && (given === undefined || mark.encoding.startsWith(given))
  const encoding = isMarkOf ? mark.encoding : (given ?? unmarkedUtf16(bytes) ?? 'utf-8')
  const decoder = decoderFor(encoding, path)
  const text = decoder.push(bytes.subarray(markBytes(bytes, encoding)))
  return {
    encoding,
    hasMark: markBytes(bytes, encoding) > 0,
    text: isWhole ? Buffer.concat([text, decoder.end()]) : text,
    isWhole,
  }
}

/** Returns how a file begins, unpacked, and whether that is all of it. */
export async function readHead(path: string): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    // A special file says nothing of its size. A megabyte for each of thousands of small files would be gigabytes.
    const most = size === 0 ? headBytes : Math.min(headBytes, size)
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(most), 0, most, 0)
    const bytes = buffer.subarray(0, bytesRead)
    const isWhole = bytesRead === size
    if (packingOf(path) !== 'gz') {
      refusePacked(path, bytes)
      return { bytes, isWhole }
    }
    const unpacked = await unpackedHead(bytes, mostUnpacked)
    return { bytes: unpacked.bytes, isWhole: isWhole && unpacked.isEnd }
  } finally {
    await file.close()
  }
}

/** What is packed begins with bytes that no text has: which encoding it is in is the wrong question. */
function refusePacked(path: string, head: Uint8Array): void {
  if (head[0] === 0x1f && head[1] === 0x8b) {
    throw new TextFileError(path, 'the file is packed with gzip, and its name does not end in .gz', {
      hint: 'Give it a name that ends in .gz, or unpack it.',
    })
  }
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) {
    throw new TextFileError(path, 'the file is packed with Zstandard, which is read from .csv.zst alone', {
      hint: 'Unpack it, or pack it with gzip and give it a name that ends in .gz.',
    })
  }
}
