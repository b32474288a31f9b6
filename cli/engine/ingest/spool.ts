/**
 * Writes records as lines into files of a spool, rotated so that several threads can read them. Keeps the hash of all
 * records in order, which is the same however the source pages. Never holds more than one block.
 */
import { createHash } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
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
  readonly records: number
  /** Records in which half a character was replaced. */
  readonly repaired: number
}

export interface SpooledRecords extends JsonFiles {
  readonly records: number
  readonly hash: string
}

const blockSize = 1 << 20
const defaultFileSize = 64 << 20
const newline = 10
const wrapStart = Buffer.from('{"value":')

export function createSpool(folder: string, fileSize = defaultFileSize): Spool {
  const hash = createHash('sha256')
  const files: string[] = []
  let block = Buffer.allocUnsafe(blockSize)
  let used = 0
  let written = 0
  let file: number | undefined
  let records = 0
  let repaired = 0
  let longestRecord = 0

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
    if (file === undefined || written >= fileSize) nextFile()
    const bytes = block.subarray(0, used)
    hash.update(bytes)
    for (let at = 0; at < used; ) at += writeSync(file as number, bytes, at)
    written += used
    used = 0
  }

  function nextFile(): void {
    if (file !== undefined) closeSync(file)
    const path = join(folder, `records-${String(files.length + 1).padStart(5, '0')}.ndjson`)
    // Spools may hold personal data.
    file = openSync(path, 'w', 0o600)
    files.push(path)
    written = 0
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
    get records() {
      return records
    },
    get repaired() {
      return repaired
    },
  }
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
