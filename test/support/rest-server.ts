/**
 * A REST API on a free loopback port, for tests and the example: the same records behind every way of paging, every
 * kind of authentication, and the ways in which servers fail. Routes of a test's own come with `route`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export interface RestRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export type RestHandler = (request: RestRequest, response: ServerResponse) => void | Promise<void>

export interface RestServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  /** Every request so far, in order of arrival. */
  readonly requests: readonly RestRequest[]
  route(path: string, handler: RestHandler): void
  /** Requests for which this is true get the status that it returns, whatever their route. */
  refuse(status: (request: RestRequest) => number | undefined): void
  /** The greatest number of requests that were answered at the same time. */
  readonly mostAtOnce: number
  forget(): void
  close(): Promise<void>
}

export interface RestServerOptions {
  readonly records?: readonly unknown[]
  readonly pageSize?: number
}

export async function startRestServer(options: RestServerOptions = {}): Promise<RestServer> {
  const records = options.records ?? []
  const routes = new Map<string, RestHandler>(Object.entries(standardRoutes(records, options.pageSize ?? 10)))
  const requests: RestRequest[] = []
  let atOnce = 0
  let mostAtOnce = 0
  let refusal: (request: RestRequest) => number | undefined = () => undefined
  const server = createServer((incoming, response) => {
    atOnce++
    mostAtOnce = Math.max(mostAtOnce, atOnce)
    response.on('close', () => {
      atOnce--
    })
    void answer(incoming, response, { routes, requests, refusal: request => refusal(request) })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    route: (path, handler) => void routes.set(path, handler),
    refuse(status) {
      refusal = status
    },
    get mostAtOnce() {
      return mostAtOnce
    },
    forget() {
      requests.length = 0
      mostAtOnce = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  {
    routes,
    requests,
    refusal,
  }: {
    readonly routes: ReadonlyMap<string, RestHandler>
    readonly requests: RestRequest[]
    readonly refusal: (request: RestRequest) => number | undefined
  },
): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const headers = incoming.headers as Readonly<Record<string, string | undefined>>
  const body = Buffer.concat(chunks).toString()
  const request = {
    method: incoming.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers,
    body,
  }
  requests.push(request)
  const handler = routes.get(url.pathname)
  const refused = refusal(request)
  if (refused !== undefined) sendJson(response, { error: 'not now' }, refused)
  else if (handler === undefined) sendJson(response, { error: 'no such path' }, 404)
  else await handler(request, response)
}

export function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof value === 'string' ? value : JSON.stringify(value))
}

interface Page {
  readonly items: readonly unknown[]
  readonly number: number
  readonly last: number
}

function standardRoutes(records: readonly unknown[], size: number): Record<string, RestHandler> {
  const last = Math.max(1, Math.ceil(records.length / size))
  const page = (number: number): Page => ({
    items: records.slice((number - 1) * size, number * size),
    number,
    last,
  })
  const numberOf = (text: string | null) => (text === null || text === '' ? 1 : Number(text))
  const self = (request: RestRequest) => `http://${request.headers['host']}${request.path}`
  const addressed =
    (next: (request: RestRequest, number: number) => unknown): RestHandler =>
    (request, response) => {
      const { items, number } = page(numberOf(request.query.get('p')))
      sendJson(response, { results: items, next: number < last ? next(request, number + 1) : null })
    }
  const cursorOf = (number: number) => (number < last ? `c${number + 1}` : null)
  const fromCursor = (text: string | null | undefined) => (text ? Number(text.slice(1)) : 1)
  return {
    '/single': (_request, response) => sendJson(response, records),
    '/link': (request, response) => {
      const { items, number } = page(numberOf(request.query.get('p')))
      const links = [`<${self(request)}?p=1>; rel="first"`, `<?p=${last}>; rel=last`]
      if (number < last)
        links.unshift(`<${self(request)}?p=${number + 1}>; title="a, \\"b\\""; rel="next foo"`)
      sendJson(response, items, 200, { link: links.join(', ') })
    },
    '/next': addressed((request, number) => `${self(request)}?p=${number}`),
    '/next-relative': addressed((_request, number) => `?p=${number}`),
    '/next-away': addressed(() => 'http://elsewhere.invalid/next?p=2'),
    '/next-same': addressed(request => `${self(request)}?p=2`),
    '/cursor': (request, response) => {
      const { items, number } = page(fromCursor(request.query.get('cursor')))
      sendJson(response, { data: items, meta: { next_cursor: cursorOf(number) } })
    },
    '/cursor-header': (request, response) => {
      const { items, number } = page(fromCursor(request.query.get('after')))
      sendJson(response, items, 200, number < last ? { 'x-next': cursorOf(number) ?? '' } : {})
    },
    '/cursor-body': (request, response) => {
      const asked = JSON.parse(request.body || '{}') as { page?: { cursor?: string; size?: number } }
      const { items, number } = page(fromCursor(asked.page?.cursor))
      sendJson(response, { items, page: { next: cursorOf(number) } })
    },
    '/pages': (request, response) => {
      const { items, number } = page(numberOf(request.query.get('page')))
      sendJson(response, { items, page: number, total_pages: last })
    },
    '/pages-from-zero': (request, response) => {
      const { items } = page(Number(request.query.get('page') ?? 0) + 1)
      sendJson(response, {
        content: items,
        page: { number: Number(request.query.get('page') ?? 0), totalPages: last },
      })
    },
    '/pages-more': (request, response) => {
      const { items, number } = page(numberOf(request.query.get('page')))
      sendJson(response, { items, has_more: number < last })
    },
    '/pages-until-empty': (request, response) =>
      sendJson(response, page(numberOf(request.query.get('page'))).items),
    '/offset': (request, response) => {
      const offset = Number(request.query.get('offset') ?? 0)
      const limit = Math.min(size, Number(request.query.get('limit') ?? size))
      sendJson(response, { rows: records.slice(offset, offset + limit), offset, total: records.length })
    },
    '/gzip': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(JSON.stringify(records)))
    },
    '/br': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br' })
      response.end(brotliCompressSync(JSON.stringify(records)))
    },
    '/lines': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.end(records.map(record => `${JSON.stringify(record)}\n`).join(''))
    },
    '/html': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><title>Please log in</title>')
    },
    '/hang': () => undefined,
  }
}

/** Answers `failures` times with `fail`, then with `well`. */
export function failing(failures: number, fail: RestHandler, well: RestHandler): RestHandler {
  let left = failures
  return (request, response) => (left-- > 0 ? fail(request, response) : well(request, response))
}

/** Lets only those in who pass `check`. */
export function guarded(check: (request: RestRequest) => boolean, well: RestHandler): RestHandler {
  return (request, response) =>
    check(request) ? well(request, response) : sendJson(response, { message: 'who are you?' }, 401)
}
