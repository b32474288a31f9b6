/** Finds out which program uses a port, and which port is free instead, for the error of `svc ui`. */
import { request } from 'node:http'
import { createServer } from 'node:net'

/** Returns `the dashboard of shop (dev)` or `another program`. */
export async function describePort(port: number): Promise<string> {
  const about = (await readJson(port, '/api/dashboard.json')) as
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

const patienceMs = 1_000
const mostCharacters = 10_000

/** Returns undefined if there is no answer in time, or it is not JSON. */
function readJson(port: number, path: string): Promise<unknown> {
  return new Promise(resolve => {
    const asked = request({ host: '127.0.0.1', port, path, timeout: patienceMs }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > mostCharacters) response.destroy()
      })
      response.on('close', () => resolve(parsed(text)))
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
