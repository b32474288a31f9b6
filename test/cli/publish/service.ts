/** A web service that takes batches of rows, remembers every request, and knows a batch that comes again by its key. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
  /** The idempotency key. */
  readonly key: string
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What the service does about a request, from 1; undefined: it takes it, and says so. */
export type Behaviour = (request: Request, number: number) => Answer | undefined | Promise<Answer | undefined>

export interface Service {
  readonly address: string
  readonly requests: Request[]
  /** The rows that it has, by id. */
  readonly rows: Map<number, Readonly<Record<string, unknown>>>
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

export async function startService(): Promise<Service> {
  const requests: Request[] = []
  const rows = new Map<number, Readonly<Record<string, unknown>>>()
  const seen = new Set<string>()
  let behaviour: Behaviour = () => undefined
  const server = createServer((incoming, response) => {
    void read(incoming).then(async text => {
      const isJson = incoming.headers['content-type'] === 'application/json'
      const body: unknown = isJson && text !== '' ? JSON.parse(text) : undefined
      const request: Request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body,
        key: String(incoming.headers['idempotency-key']),
      }
      requests.push(request)
      const own = await behaviour(request, requests.length)
      if (own === undefined) take(request, rows, seen)
      answer(response, own ?? { status: 200, body: { ok: true } })
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    rows,
    behave(next) {
      behaviour = next
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Keeps the rows of a batch that is new, as a service with idempotency keys does. */
export function take(
  { body, key, path }: Request,
  rows: Map<number, Readonly<Record<string, unknown>>>,
  seen: Set<string> = new Set(),
): void {
  if (seen.has(key) || !Array.isArray(body)) return
  seen.add(key)
  for (const row of body as Readonly<Record<string, unknown>>[]) {
    if (path.includes('remove')) rows.delete(Number(row['id']))
    else rows.set(Number(row['id']), row)
  }
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function answer(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body))
}
