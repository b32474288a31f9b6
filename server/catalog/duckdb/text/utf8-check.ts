/** Checks at native speed whether bytes that arrive in pieces are UTF-8. */
import { isUtf8 } from 'node:buffer'

export function createUtf8Check() {
  let rest: Buffer = Buffer.alloc(0)
  return {
    /** Returns false as soon as the bytes cannot be UTF-8. */
    push(piece: Buffer): boolean {
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      const cut = bytes.length - unfinished(bytes)
      rest = Buffer.from(bytes.subarray(cut))
      return isUtf8(bytes.subarray(0, cut))
    },
    /** Returns false if the last character was cut off. */
    end: () => rest.length === 0,
  }
}

/** Returns how many bytes at the end may be the start of a character. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}
