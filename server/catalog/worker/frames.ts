/** Values on a pipe: four bytes with the length, then the value as V8 writes it, which copies long texts as they are. */
import { deserialize, serialize } from 'node:v8'

const headBytes = 4

export function frameOf(value: unknown): Buffer {
  const body = serialize(value)
  const frame = Buffer.allocUnsafe(headBytes + body.length)
  frame.writeUInt32LE(body.length)
  body.copy(frame, headBytes)
  return frame
}

/** Takes the pieces of a pipe as they come. */
export function frameReader(onValue: (value: unknown) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = []
  let held = 0
  /** Bytes that are needed to go on. */
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
