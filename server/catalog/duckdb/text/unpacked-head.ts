/** Unpacks the beginning of a packed file. */
import { createGunzip } from 'node:zlib'

/**
 * Unpacks as much as the beginning of a packed file allows, and not much more than `most` bytes: so much shows what a file is
 * like, whatever the rest unpacks to. `isEnd`: this is all that the file has.
 */
export async function unpackedHead(
  packed: Buffer,
  most: number,
): Promise<{ readonly bytes: Buffer; readonly isEnd: boolean }> {
  const gunzip = createGunzip()
  const parts: Buffer[] = []
  let bytes = 0
  const isEnd = await new Promise<boolean>(resolve => {
    gunzip.on('data', (part: Buffer) => {
      parts.push(part)
      bytes += part.length
      if (bytes > most) {
        gunzip.destroy()
        resolve(false)
      }
    })
    gunzip.on('end', () => resolve(true))
    // The end of a longer stream is missing on purpose, so errors are expected.
    gunzip.on('error', () => resolve(false))
    gunzip.end(packed)
  })
  return { bytes: Buffer.concat(parts), isEnd }
}
