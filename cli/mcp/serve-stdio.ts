/** Serves one agent on stdin and stdout until it goes. This file is a bundle of its own, which other commands do not read. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { inTurns, type Serving } from './command-runner.ts'
import { createServer } from './create-server.ts'

/** `root` is the folder of the project. Resolves when the agent closes stdin, or when the signal is aborted. */
export async function serveAgent(serving: Serving, root: string, signal: AbortSignal): Promise<void> {
  const gone = new Promise<void>(resolve => {
    process.stdin.once('end', resolve).once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const turns = { ...serving, run: inTurns(serving.run) }
  const handle = serveStdio(() => createServer(turns, root))
  await gone
  await handle.close()
}
