/** Finds out which program uses a port, and which port is free instead, for the error of `svc ui`. */
import { request } from 'node:http'
import { createServer } from 'node:net'
import { parseJson } from '../engine/artifacts/parse-json.ts'

/** Returns `the dashboard of shop (dev)`, `another program` or `a program that does not answer`. */
export async function describePort(port: number, patienceMs = usualPatienceMs): Promise<string> {
  const answer = await readText(port, '/api/dashboard.json', AbortSignal.timeout(patienceMs))
  if (answer === undefined) return 'a program that does not answer'
  const about = parseJson(answer) as
    | { readonly project?: unknown; readonly environment?: unknown }
    | null
    | undefined
  const { project, environment } = about ?? {}
  if (typeof project !== 'string' || typeof environment !== 'string') return 'another program'
  return `the dashboard of ${project} (${environment})`
}

const looked = 50

/** Returns the next free port; undefined if none of the next 50 is free. */
export async function nextFreePort(port: number): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + looked, 65_535); next++) {
    if (await isFree(next)) return next
  }
  return undefined
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise(resolve => {
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/** A dashboard on a busy machine may need seconds. */
const usualPatienceMs = 5_000
const mostCharacters = 10_000

/** Returns '' if it is no answer of HTTP, undefined if there is none in time. */
function readText(port: number, path: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise(resolve => {
    const asked = request({ host: '127.0.0.1', port, path, signal }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > mostCharacters) response.destroy()
      })
      // Whatever broke it off, what came is all there is.
      response.on('error', () => undefined)
      response.on('close', () => resolve(text))
    })
    asked.on('error', () => resolve(signal.aborted ? undefined : ''))
    asked.end()
  })
}
