/**
 * Writes records as lines into the files of a spool, rotated so that several threads can read them. Keeps the
 * hash of all records in order, which does not depend on how the source pages. Holds at most one block in
 * memory.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { FoundRecord } from '@svc/server/language'
import type { JsonFiles } from './record-source.ts'

/** The content of a spool at one moment; later bytes in its files do not count. */
export interface SpoolState {
  /** The size of each file in bytes. */
  readonly sizes: readonly number[]
  readonly records: number
  readonly repaired: number
  /** The number of records in which numbers became texts. */
  readonly quoted?: number
  readonly longestRecord: number
  /** The hash of all bytes. */
  readonly digest: string
}

/** The spool of an earlier process, read again and truncated to its saved state. */
export interface ReopenedSpool extends SpoolState {
  readonly hash: Hash
}

const blockSize = 1 << 20
const fileSize = 64 << 20
const newline = 10
const quote = Buffer.from('"')
const wrapStart = Buffer.from('{"value":')

export class Spool {
  records: number
  /** The number of records in which an unpaired surrogate was replaced. */
  repaired: number
  #quoted = 0
  readonly #folder: string
  readonly #hash: Hash
  readonly #sizes: number[]
  readonly #files: string[]
  #block = Buffer.allocUnsafe(blockSize)
  #used = 0
  /** Undefined at the start: files that an earlier process wrote are synced and not changed. */
  #file: number | undefined
  #longestRecord: number

  constructor(folder: string, before?: ReopenedSpool) {
    this.#folder = folder
    this.#hash = before?.hash ?? createHash('sha256')
    this.#sizes = [...(before?.sizes ?? [])]
    this.#files = this.#sizes.map((_, index) => spoolFile(folder, index))
    this.records = before?.records ?? 0
    this.repaired = before?.repaired ?? 0
    this.#longestRecord = before?.longestRecord ?? 0
  }

  write(record: FoundRecord): void {
    this.records++
    const { bytes, start, end } = this.#readable(record)
    const length = end - start
    if (length > this.#longestRecord) this.#longestRecord = length
    this.#makeRoom(length + wrapStart.length + 2)
    const from = this.#used
    if (!record.isObject) this.#used += wrapStart.copy(this.#block, this.#used)
    this.#block.set(bytes.subarray(start, end), this.#used)
    this.#used += length
    if (!record.isObject) this.#block[this.#used++] = 125
    if (record.lineBreaks) joinLines(this.#block, from, this.#used)
    this.#block[this.#used++] = newline
  }

  /** Returns the record as the reader can take it without a change of its values. */
  #readable(record: FoundRecord): Pick<FoundRecord, 'bytes' | 'start' | 'end'> {
    if (!record.loneSurrogates && record.inexact.length === 0) return record
    let bytes = record.bytes.subarray(record.start, record.end)
    if (record.inexact.length > 0) {
      this.#quoted++
      bytes = quoteNumbers(record)
    }
    if (record.loneSurrogates) {
      this.repaired++
      bytes = repairSurrogates(bytes)
    }
    return { bytes, start: 0, end: bytes.length }
  }

  #makeRoom(needed: number): void {
    if (this.#used + needed <= this.#block.length) return
    this.#flush()
    if (needed > this.#block.length) this.#block = Buffer.allocUnsafe(needed)
  }

  #flush(): void {
    if (this.#used === 0) return
    if (this.#file === undefined || (this.#sizes.at(-1) ?? 0) >= fileSize) this.#nextFile()
    const bytes = this.#block.subarray(0, this.#used)
    this.#hash.update(bytes)
    for (let at = 0; at < this.#used; ) at += writeSync(this.#file as number, bytes, at)
    this.#sizes[this.#sizes.length - 1] = (this.#sizes[this.#sizes.length - 1] ?? 0) + this.#used
    this.#used = 0
  }

  #nextFile(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    const path = spoolFile(this.#folder, this.#files.length)
    // The file is private, because spools may hold personal data.
    this.#file = openSync(path, 'w', 0o600)
    this.#files.push(path)
    this.#sizes.push(0)
  }

  /** Closes the files without flushing. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** Flushes and closes. */
  finish(): JsonFiles & { readonly records: number; readonly hash: string } {
    this.#flush()
    // An empty source still needs a file to read.
    if (this.#files.length === 0) {
      this.#nextFile()
      ftruncateSync(this.#file as number)
    }
    this.close()
    return {
      files: this.#files,
      format: 'newline_delimited',
      longestRecord: this.#longestRecord,
      records: this.records,
      hash: this.#hash.digest('hex'),
    }
  }

  /** Writes everything so far to disk before it returns. */
  save(): SpoolState {
    this.#flush()
    if (this.#file !== undefined) fdatasyncSync(this.#file)
    return {
      sizes: [...this.#sizes],
      records: this.records,
      repaired: this.repaired,
      ...(this.#quoted > 0 && { quoted: this.#quoted }),
      longestRecord: this.#longestRecord,
      digest: this.#hash.copy().digest('hex'),
    }
  }
}

export function spoolFile(folder: string, index: number): string {
  return join(folder, `records-${String(index + 1).padStart(5, '0')}.ndjson`)
}

/**
 * Replaces line breaks by spaces. JSON strings cannot contain them, so each is white space between tokens.
 */
function joinLines(bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at++) if (bytes[at] === 10 || bytes[at] === 13) bytes[at] = 32
}

/** Writes numbers as texts, because the reader of JSON would round them, whatever they are read as. */
function quoteNumbers({ bytes, start, end, inexact }: FoundRecord): Uint8Array {
  const parts: Uint8Array[] = []
  let at = start
  for (const place of inexact) {
    parts.push(bytes.subarray(at, place), quote)
    at = place
  }
  return Buffer.concat([...parts, bytes.subarray(at, end)])
}

/** Replaces unpaired surrogates by the replacement character, because UTF-8 cannot represent them. */
function repairSurrogates(bytes: Uint8Array): Buffer {
  const text = Buffer.from(bytes).toString('latin1')
  const repaired = text.replace(
    /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g,
    sequence => (sequence.length === 6 && /^\\u[dD][89a-fA-F]/.test(sequence) ? '\\ufffd' : sequence),
  )
  return Buffer.from(repaired, 'latin1')
}
