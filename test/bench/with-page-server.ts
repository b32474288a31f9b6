/** Starts the server of pages as a process of its own, so that its work is not the work of what is measured. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Bench } from './bench.ts'

export async function withPageServer(
  bench: Bench,
  records: number,
  use: (address: string) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [join(bench.folder, 'page-server.mjs'), String(records)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  try {
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
      child.once('close', code => reject(new Error(`the server of pages ended with ${code}`)))
    })
    await use(address)
  } finally {
    child.stdin.end()
    await ended
  }
}
