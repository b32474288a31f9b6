/**
 * A file of records that are read one at a time on demand: an index, which is read completely, and the texts
 * after it. It is replaced atomically and has a checksum: a file that is damaged, truncated or from another
 * program is ignored.
 */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'

export interface RecordFile {
  readonly index: unknown
  /** The texts in UTF-8, one after the other. */
  readonly body: Buffer
  /** The checksum of index and texts. */
  readonly checksum: number
}

const lineBreak = 10

/** Returns undefined if there is no file with this key. */
export function readRecordFile(path: string, key: string): RecordFile | undefined {
  try {
    return parse(readFileSync(path), key)
  } catch {
    return undefined
  }
}

function parse(file: Buffer, key: string): RecordFile | undefined {
  const keyEnd = file.indexOf(lineBreak)
  if (keyEnd < 0 || file.toString('utf8', 0, keyEnd) !== JSON.stringify(key)) return undefined
  const headEnd = file.indexOf(lineBreak, keyEnd + 1)
  const [indexBytes, bodyBytes, checksum] = file
    .toString('latin1', keyEnd + 1, headEnd)
    .split(' ')
    .map(Number)
  if (headEnd < 0 || indexBytes === undefined || bodyBytes === undefined) return undefined
  const start = headEnd + 1
  if (file.length !== start + indexBytes + bodyBytes) return undefined
  if (crc32(file.subarray(start)) !== checksum) return undefined
  return {
    index: JSON.parse(file.toString('utf8', start, start + indexBytes)),
    body: file.subarray(start + indexBytes),
    checksum,
  }
}

/**
 * Writes the file. Throws the error of the file system. It is not flushed to disk: a file that a crash
 * truncates is ignored.
 */
export function writeRecordFile(
  path: string,
  key: string,
  index: unknown,
  body: readonly Uint8Array[],
): void {
  const indexBytes = Buffer.from(JSON.stringify(index))
  let checksum = crc32(indexBytes)
  let bodyBytes = 0
  for (const part of body) {
    checksum = crc32(part, checksum)
    bodyBytes += part.length
  }
  const head = Buffer.from(`${JSON.stringify(key)}\n${indexBytes.length} ${bodyBytes} ${checksum}\n`)
  const temporary = `${path}.${process.pid}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeAll(temporary, [head, indexBytes, ...body])
    renameSync(temporary, path)
  } catch (error) {
    removeQuietly(temporary)
    throw error
  }
}

/** The size of one write; writing everything at once would need twice the memory. */
const writtenAtOnce = 1 << 20

function writeAll(path: string, parts: readonly Uint8Array[]): void {
  const file = openSync(path, 'w', 0o600)
  try {
    let waiting: Uint8Array[] = []
    let bytes = 0
    const flush = (): void => {
      writePiece(file, Buffer.concat(waiting, bytes))
      waiting = []
      bytes = 0
    }
    for (const part of parts) {
      waiting.push(part)
      bytes += part.length
      if (bytes >= writtenAtOnce) flush()
    }
    flush()
  } finally {
    closeSync(file)
  }
}

function writePiece(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // The temporary file was never created.
  }
}
