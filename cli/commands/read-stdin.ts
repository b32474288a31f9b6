/** The whole of stdin as text. Waits for it: a pipe that is not full yet is no error, as it is to `readFileSync(0)`. */
import { SvcError } from '../engine/errors.ts'

/** SvcError `file-failed` where the bytes are no UTF-8: text that was guessed must not be written back. */
export async function readStdin(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(Buffer.from(part as Uint8Array))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts))
  } catch {
    throw new SvcError('file-failed', 'stdin is no UTF-8 text', { hint: 'Convert it, then try again.' })
  }
}
