/** Serves one agent on stdin and stdout until it goes. This file is a bundle of its own, which other commands do not read. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { inTurns, type Serving } from './command-runner.ts'
import { createServer } from './create-server.ts'
import { wholeMessages } from './whole-messages.ts'

const mostCommandMs = 15 * 60_000
const mostMessageBytes = 10 * 1024 * 1024

/**
 * Resolves when the agent closes stdin or sends a message without end, or when the
 * signal is aborted, and no command runs any more: a preview that is cut off takes back what it began.
 */
export async function serveAgent(serving: Serving, signal: AbortSignal): Promise<void> {
  const restore = keepStdoutForProtocol()
  const turns = inTurns(serving.run, mostCommandMs)
  const lines = process.stdin.pipe(wholeMessages(process.stdout, mostMessageBytes))
  process.stdin.once('close', () => lines.end())
  const transport = new StdioServerTransport(lines, process.stdout, {
    maxBufferSize: mostMessageBytes,
  })
  const gone = new Promise<void>(resolve => {
    lines.once('end', resolve).once('close', resolve)
    process.stdout.once('error', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
    const { close } = transport
    transport.close = async () => {
      await close.call(transport)
      resolve()
    }
  })
  const handle = serveStdio(() => createServer({ ...serving, run: turns.run }), {
    transport,
    onerror: error => process.stderr.write(`svc mcp: ${error.message.slice(0, 500)}\n`),
  })
  await gone
  await turns.end()
  await handle.close()
  restore()
}

/** What a library prints would break the protocol: it goes to stderr, where agents keep their logs. */
function keepStdoutForProtocol(): () => void {
  const { log, info, debug, error } = console
  Object.assign(console, { log: error, info: error, debug: error })
  return () => Object.assign(console, { log, info, debug })
}
