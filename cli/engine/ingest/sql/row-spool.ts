/**
 * Writes rows as CSV into the files of a spool, one file for each part of the source. Keeps the hash of all
 * bytes and the length of the longest line, which the reader has to know.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { SvcError } from '../../errors.ts'
import { quoteFirstMark } from './first-mark.ts'
import { misfitMark } from './spooled-rows.ts'

export interface SpooledRows {
  readonly files: readonly string[]
  readonly rows: number
  readonly bytes: number
  /** The hash of all parts in order. */
  readonly hash: string
  /** At least the length of the longest line, in bytes. */
  readonly longestLine: number
  /** Whether the mark of values that may not fit their type is somewhere in them. */
  readonly hasMarks: boolean
  /** Whether the character NUL is somewhere in them. */
  readonly hasNul: boolean
}

const newline = 10
const markByte = misfitMark.charCodeAt(0)
/** How JSON writes NUL. */
const nulEscape = 'u0000'

export class RowSpool {
  readonly #folder: string
  readonly #mostBytes: number
  readonly #parts: PartFile[] = []

  constructor(folder: string, { totalBytes }: { readonly totalBytes: number }) {
    this.#folder = folder
    this.#mostBytes = totalBytes
  }

  get bytes(): number {
    return this.#parts.reduce((total, { bytes }) => total + bytes, 0)
  }

  get rows(): number {
    return this.#parts.reduce((total, { rows }) => total + rows, 0)
  }

  get parts(): number {
    return this.#parts.length
  }

  /** Opens the file of a part. Parts may be written at the same time. */
  part(index: number): PartFile {
    // A part that is read again has none of its rows any more.
    this.#parts[index]?.close()
    return this.#open(index, 'w')
  }

  /** Takes a part that an earlier process has written whole. */
  keep(index: number, rows: number): void {
    const part = this.#open(index, 'r')
    part.adopt(rows)
    part.close()
  }

  #open(index: number, mode: 'w' | 'r'): PartFile {
    const part = new PartFile(this.pathOf(index), mode, () => this.#refuseMore())
    this.#parts[index] = part
    return part
  }

  #refuseMore(): void {
    if (this.bytes <= this.#mostBytes) return
    throw new SvcError('source-shape', `the rows have more than ${this.#mostBytes} bytes`, {
      hint: 'Read less with where, include or max_rows, or raise ingest.limits.total.',
    })
  }

  /** Closes a part, so that it survives the process. Returns how much it has. */
  end(index: number): { readonly rows: number; readonly bytes: number } {
    const part = this.#parts[index]
    if (part === undefined) throw new Error(`the spool has no part ${index}`)
    part.sync()
    part.close()
    return { rows: part.rows, bytes: part.bytes }
  }

  pathOf(index: number): string {
    return join(this.#folder, `rows-${String(index + 1).padStart(3, '0')}.csv`)
  }

  finish(): SpooledRows {
    this.close()
    const digests = this.#parts.map(part => part.digest())
    for (const { path } of this.#parts) quoteFirstMark(path)
    return {
      files: this.#parts.map(({ path }) => path),
      rows: this.rows,
      bytes: this.bytes,
      hash: createHash('sha256').update(digests.join('\n')).digest('hex'),
      longestLine: this.#parts.reduce((longest, part) => Math.max(longest, part.longestLine()), 0) + 2,
      hasMarks: this.#parts.some(({ hasMarks }) => hasMarks),
      hasNul: this.#parts.some(({ hasNul }) => hasNul),
    }
  }

  close(): void {
    for (const part of this.#parts) part.close()
  }
}

class PartFile {
  readonly path: string
  bytes = 0
  rows = 0
  hasMarks = false
  hasNul = false
  readonly #file: number
  readonly #hash: Hash = createHash('sha256')
  readonly #onBytes: () => void
  #isOpen = true
  #lines = 0
  #sinceNewline = 0
  #longest = 0
  #end = ''

  constructor(path: string, mode: 'w' | 'r', onBytes: () => void) {
    this.path = path
    this.#onBytes = onBytes
    // The file is private, because rows may hold personal data.
    this.#file = openSync(path, mode, 0o600)
  }

  /** Writes some of the text of the part, which may end within a line. */
  write(chunk: Buffer): void {
    // What a connection still delivers after a failure must not reach another file that has the number of this one.
    if (!this.#isOpen) return
    for (let at = 0; at < chunk.length; ) at += writeSync(this.#file, chunk, at)
    this.#take(chunk)
  }

  /** Adds to the number of rows, which the database knows better than the text does. */
  count(rows: number): void {
    this.rows += rows
  }

  /** Takes what something else has written into the file. */
  adopt(rows: number): void {
    for (const block of blocksOf(this.path)) this.#take(block)
    this.count(rows)
  }

  #take(chunk: Buffer): void {
    this.#hash.update(chunk)
    this.bytes += chunk.length
    this.hasMarks ||= chunk.includes(markByte)
    this.hasNul ||= chunk.includes(0) || chunk.includes(nulEscape) || this.#hasEscapeBetween(chunk)
    this.#measure(chunk)
    this.#onBytes()
  }

  /** An escape may begin in one chunk and end in the next. */
  #hasEscapeBetween(chunk: Buffer): boolean {
    const between = this.#end + chunk.toString('latin1', 0, nulEscape.length)
    this.#end = chunk.toString('latin1', Math.max(0, chunk.length - nulEscape.length))
    return between.includes(nulEscape)
  }

  #measure(chunk: Uint8Array): void {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const length = this.#sinceNewline + end - start
      if (length > this.#longest) this.#longest = length
      this.#lines++
      this.#sinceNewline = 0
      start = end + 1
    }
    this.#sinceNewline += chunk.length - start
  }

  /** Returns the length of the longest line. Where texts have line breaks of their own, the file is read again. */
  longestLine(): number {
    return this.#lines === this.rows ? this.#longest : longestRecord(this.path)
  }

  digest(): string {
    return this.#hash.digest('hex')
  }

  sync(): void {
    fsyncSync(this.#file)
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file)
    this.#isOpen = false
  }
}

const readSize = 1 << 20
const quote = 34

function* blocksOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r')
  const block = Buffer.allocUnsafe(readSize)
  try {
    for (let read = readSync(file, block); read > 0; read = readSync(file, block))
      yield block.subarray(0, read)
  } finally {
    closeSync(file)
  }
}

/** Returns the length of the longest record of a CSV file in bytes, line breaks within quotes included. */
function longestRecord(path: string): number {
  let longest = 0
  let length = 0
  let isQuoted = false
  for (const block of blocksOf(path)) {
    for (let at = 0; at < block.length; at++) {
      const byte = block[at]
      length++
      if (byte === quote) isQuoted = !isQuoted
      if (byte !== newline || isQuoted) continue
      if (length > longest) longest = length
      length = 0
    }
  }
  return Math.max(longest, length)
}
