/**
 * The rows that are about to be sent, in a file that loses its name as soon as it is open: whatever ends the process,
 * also a kill, ends the file too.
 */
import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'

export interface OpenSpool {
  /** Reads all of it from the start, in pieces. */
  pieces(): AsyncGenerator<Buffer>
  close(): Promise<void>
}

const pieceBytes = 1 << 20

/** Returns undefined if there is no such file. */
export async function openSpool(path: string): Promise<OpenSpool | undefined> {
  if (!existsSync(path)) return undefined
  const file = await open(path, 'r')
  // Windows keeps the name of an open file: there it goes with its folder.
  await rm(path, { force: true }).catch(() => undefined)
  return {
    async *pieces() {
      let position = 0
      while (true) {
        const piece = Buffer.allocUnsafe(pieceBytes)
        const { bytesRead } = await file.read(piece, 0, pieceBytes, position)
        if (bytesRead === 0) return
        position += bytesRead
        yield piece.subarray(0, bytesRead)
      }
    },
    close: () => file.close(),
  }
}
