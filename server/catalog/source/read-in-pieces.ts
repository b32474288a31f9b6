/** Reads files of any size without holding more than a megabyte of each. */
import { createReadStream, type ReadStream, statSync } from 'node:fs'

/** Bytes. */
export const pieceSize = 1 << 20

/**
 * Returns a stream of the file's bytes. A file that is smaller than a piece gets a buffer of its own size: of thousands of small
 * ones, a megabyte each would keep the garbage collector busier than the reader.
 */
export function readInPieces(path: string, signal: AbortSignal | undefined): ReadStream {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return createReadStream(path, {
    ...(size > 0 && { highWaterMark: Math.min(pieceSize, size + 1) }),
    ...(signal !== undefined && { signal }),
  })
}
