/**
 * Frames values on a pipe: four bytes with the length, then the value serialized by V8, which copies long
 * texts without escaping.
 */
import { deserialize, serialize } from 'node:v8'

const headBytes = 4

export function frameOf(value: unknown): Buffer {
  const body = serialize(value)
  const frame = Buffer.allocUnsafe(headBytes + body.length)
  frame.writeUInt32LE(body.length)
  body.copy(frame, headBytes)
  return frame
}

/** Returns a function that takes chunks from a pipe and reports each complete value. */
export function frameReader(onValue: (value: unknown) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = []
  let held = 0
  /** The number of bytes until the next step. */
  let needed = headBytes
  return piece => {
    pieces.push(piece)
    held += piece.length
    if (held < needed) return
    let bytes = pieces.length === 1 ? piece : Buffer.concat(pieces, held)
    while (bytes.length >= headBytes) {
      const end = headBytes + bytes.readUInt32LE()
      if (bytes.length < end) break
      onValue(deserialize(bytes.subarray(headBytes, end)))
      bytes = bytes.subarray(end)
    }
    needed = bytes.length < headBytes ? headBytes : headBytes + bytes.readUInt32LE()
    pieces = bytes.length === 0 ? [] : [bytes]
    held = bytes.length
  }
}
