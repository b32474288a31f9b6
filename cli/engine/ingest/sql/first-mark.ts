/**
 * A text that begins with U+FEFF is a value like any other, but at the beginning of a file the reader takes it for the mark of
 * an encoding, and drops it. In quotes it is none.
 */
import { closeSync, openSync, readSync, renameSync, writeSync } from 'node:fs'

const mark = Buffer.from('\ufeff')
const blockSize = 1 << 20

/** Puts the first value of a CSV file in quotes where it begins so. */
export function quoteFirstMark(path: string): void {
  const from = openSync(path, 'r')
  try {
    const head = Buffer.alloc(mark.length)
    if (readSync(from, head, 0, head.length, 0) < head.length || !head.equals(mark)) return
    const into = openSync(`${path}.quoted`, 'w', 0o600)
    try {
      copyQuoted(from, into)
    } finally {
      closeSync(into)
    }
  } finally {
    closeSync(from)
  }
  renameSync(`${path}.quoted`, path)
}

/** A value without quotes ends at the first delimiter or line end. */
function copyQuoted(from: number, into: number): void {
  const block = Buffer.allocUnsafe(blockSize)
  let isOpen = true
  write(into, Buffer.from('"'))
  for (let at = 0; ; ) {
    const bytes = block.subarray(0, readSync(from, block, 0, blockSize, at))
    if (bytes.length === 0) break
    at += bytes.length
    const end = isOpen ? bytes.findIndex(byte => byte === 44 || byte === 10 || byte === 13) : -1
    if (end === -1) write(into, bytes)
    else {
      write(into, bytes.subarray(0, end))
      write(into, Buffer.from('"'))
      write(into, bytes.subarray(end))
      isOpen = false
    }
  }
  if (isOpen) write(into, Buffer.from('"'))
}

function write(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}
