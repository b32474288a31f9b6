/**
 * Writes records as lines into files of a spool, rotated so that several threads can read them. Keeps the hash of all
 * records in order, which is the same however the source pages. Never holds more than one block.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundRecord } from '@svc/server/language'
import type { JsonFiles } from './record-source.ts'

export interface Spool {
  write(record: FoundRecord): void
  /** Flushes and closes. */
  finish(): SpooledRecords
  /** Closes without more ado, after a failure. */
  abandon(): void
  /** Everything so far is on the disk when this returns. */
  save(): SpoolState
  readonly records: number
  /** Records in which half a character was replaced. */
  readonly repaired: number
}

export interface SpooledRecords extends JsonFiles {
  readonly records: number
  readonly hash: string
}

/** What a spool held at one moment: later bytes in its files do not count. */
export interface SpoolState {
  /** Bytes of each file. */
  readonly sizes: readonly number[]
  readonly records: number
  readonly repaired: number
  readonly longestRecord: number
  /** Of all bytes. */
  readonly digest: string
}

/** A spool of an earlier process, read again and cut to what its state says. */
export interface ReopenedSpool extends SpoolState {
  readonly hash: Hash
}

const blockSize = 1 << 20
const defaultFileSize = 64 << 20
const newline = 10
const wrapStart = Buffer.from('{"value":')

export function createSpool(folder: string, fileSize = defaultFileSize, before?: ReopenedSpool): Spool {
  const hash = before?.hash ?? createHash('sha256')
  const sizes = [...(before?.sizes ?? [])]
  const files = sizes.map((_, index) => spoolFile(folder, index))
  let block = Buffer.allocUnsafe(blockSize)
  let used = 0
  // The next record begins a file: what is there was synced and stays as it is.
  let file: number | undefined
  let records = before?.records ?? 0
  let repaired = before?.repaired ?? 0
  let longestRecord = before?.longestRecord ?? 0

  function write(record: FoundRecord): void {
    records++
    let { bytes, start, end } = record
    if (record.loneSurrogates) {
      repaired++
      bytes = repairSurrogates(bytes.subarray(start, end))
      start = 0
      end = bytes.length
    }
    const length = end - start
    if (length > longestRecord) longestRecord = length
    makeRoom(length + wrapStart.length + 2)
    const from = used
    if (!record.isObject) used += wrapStart.copy(block, used)
    block.set(bytes.subarray(start, end), used)
    used += length
    if (!record.isObject) block[used++] = 125
    if (record.lineBreaks) joinLines(block, from, used)
    block[used++] = newline
  }

  function makeRoom(needed: number): void {
    if (used + needed <= block.length) return
    flush()
    if (needed > block.length) block = Buffer.allocUnsafe(needed)
  }

  function flush(): void {
    if (used === 0) return
    if (file === undefined || (sizes.at(-1) ?? 0) >= fileSize) nextFile()
    const bytes = block.subarray(0, used)
    hash.update(bytes)
    for (let at = 0; at < used; ) at += writeSync(file as number, bytes, at)
    sizes[sizes.length - 1] = (sizes[sizes.length - 1] ?? 0) + used
    used = 0
  }

  function nextFile(): void {
    if (file !== undefined) closeSync(file)
    const path = spoolFile(folder, files.length)
    // Spools may hold personal data.
    file = openSync(path, 'w', 0o600)
    files.push(path)
    sizes.push(0)
  }

  function close(): void {
    if (file !== undefined) closeSync(file)
    file = undefined
  }

  return {
    write,
    finish() {
      flush()
      // An empty source still has a file to read.
      if (files.length === 0) {
        nextFile()
        ftruncateSync(file as number)
      }
      close()
      return { files, format: 'newline_delimited', longestRecord, records, hash: hash.digest('hex') }
    },
    abandon: close,
    save() {
      flush()
      if (file !== undefined) fdatasyncSync(file)
      const digest = hash.copy().digest('hex')
      return { sizes: [...sizes], records, repaired, longestRecord, digest }
    },
    get records() {
      return records
    },
    get repaired() {
      return repaired
    },
  }
}

export function spoolFile(folder: string, index: number): string {
  return join(folder, `records-${String(index + 1).padStart(5, '0')}.ndjson`)
}

/** A spool may hold personal data: it goes as soon as its rows are loaded. */
export async function removeSpool(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/** Strings hold no bare line breaks, so that every one is white space. */
function joinLines(bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at++) if (bytes[at] === 10 || bytes[at] === 13) bytes[at] = 32
}

/** Half a surrogate pair is no character, and no text can hold it: the replacement character stands in its place. */
function repairSurrogates(bytes: Uint8Array): Buffer {
  const text = Buffer.from(bytes).toString('latin1')
  const repaired = text.replace(
    /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g,
    found => (found.length === 6 && /^\\u[dD][89a-fA-F]/.test(found) ? '\\ufffd' : found),
  )
  return Buffer.from(repaired, 'latin1')
}
