/** Reads stdin as text. It waits for slow pipes, on which `readFileSync(0)` fails. */
import { SvcError } from '../engine/errors.ts'

/**
 * Throws SvcError `file-failed` if the bytes are not UTF-8, because wrongly decoded text must not be written
 * back.
 */
export async function readStdin(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(Buffer.from(part as Uint8Array))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts))
  } catch {
    throw new SvcError('file-failed', 'stdin is no UTF-8 text', { hint: 'Convert it, then try again.' })
  }
}
