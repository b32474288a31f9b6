/**
 * Tells how much a file of Zstandard (RFC 8878) can unpack to, without unpacking it: a frame says its size, and a
 * reader refuses one that is another; else none of its blocks holds more than 128 KiB.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

type ReadAt = (at: number, length: number) => Buffer

const frameMagic = 0xfd2fb528
const isSkippable = (magic: number) => magic >>> 4 === 0x0184d2a5
const largestBlock = 128 << 10

/** Returns the bytes at most. */
export function zstdFileSize(path: string): number {
  const file = openSync(path, 'r')
  try {
    return zstdSize((at, length) => {
      const bytes = Buffer.alloc(length)
      return bytes.subarray(0, readSync(file, bytes, 0, length, at))
    }, fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

/** What is no frame ends the count: whoever reads the file says what is wrong with it. */
function zstdSize(read: ReadAt, fileSize: number): number {
  let bytes = 0
  let at = 0
  while (at + 8 <= fileSize) {
    const start = read(at, 18)
    const magic = start.readUInt32LE(0)
    if (isSkippable(magic)) {
      at += 8 + start.readUInt32LE(4)
      continue
    }
    if (magic !== frameMagic) break
    const frame = frameHeader(start)
    const blocks = sizeOfBlocks(read, at + frame.length, fileSize)
    bytes += frame.size ?? blocks.bytes
    at = blocks.end + (frame.hasChecksum ? 4 : 0)
  }
  return bytes
}

function frameHeader(start: Buffer) {
  const descriptor = start[4] ?? 0
  const isOneSegment = (descriptor & 0x20) !== 0
  const afterWindow = 5 + (isOneSegment ? 0 : 1)
  const sizeAt = afterWindow + ([0, 1, 2, 4][descriptor & 3] ?? 0)
  const sizeBytes = [isOneSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  return {
    length: sizeAt + sizeBytes,
    size: sizeBytes === 0 ? undefined : contentSize(start, sizeAt, sizeBytes),
    hasChecksum: (descriptor & 4) !== 0,
  }
}

function contentSize(start: Buffer, at: number, bytes: number): number {
  if (at + bytes > start.length) return Number.POSITIVE_INFINITY
  if (bytes === 8) return Number(start.readBigUInt64LE(at))
  // Two bytes begin to count where one byte ends.
  return start.readUIntLE(at, bytes) + (bytes === 2 ? 256 : 0)
}

function sizeOfBlocks(read: ReadAt, from: number, fileSize: number): { bytes: number; end: number } {
  let bytes = 0
  let at = from
  while (at + 3 <= fileSize) {
    const header = read(at, 3).readUIntLE(0, 3)
    const [isLast, kind, size] = [(header & 1) === 1, (header >> 1) & 3, header >> 3]
    const isRepeated = kind === 1
    bytes += kind === 2 ? largestBlock : size
    at += 3 + (isRepeated ? 1 : size)
    if (isLast) break
  }
  return { bytes, end: at }
}
