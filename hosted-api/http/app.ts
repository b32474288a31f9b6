/** The Koa application: one request in, one answer out, whatever happens. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import Koa, { type Context } from 'koa'
import { StorageError } from '../storage/index.ts'
import { createByteCache } from './byte-cache.ts'
import { createDispatch } from './dispatch.ts'
import { isUnchanged } from './etag.ts'
import { pageMedia } from './list.ts'
import { maySee, type Principal } from './principal.ts'
import { notFound, Problem, problemBody } from './problems.ts'
import type { Reply } from './reply.ts'
import type { AnyRoute } from './route.ts'
import { type After, type Entrance, prepareCall, type RouteWorld, requireScope } from './run-route.ts'

export interface AppParts extends RouteWorld {
  readonly routes: readonly AnyRoute[]
  readonly entrances: readonly Entrance[]
  /** Of the client: behind a proxy not the one of the socket. */
  readonly addressOf: (request: IncomingMessage) => string
  /** Told of every answer after it was sent: for logs and metrics. */
  readonly observers: readonly ((seen: Seen) => void)[]
  /** Told of what is a bug of ours or a failure of the database; the client sees only the request id. */
  readonly onError: (error: unknown, requestId: string) => void
  /** Memory for ready-made answers; 0: none. */
  readonly cacheBytes: number
}

export interface Seen {
  readonly route: AnyRoute | undefined
  readonly method: string
  readonly path: string
  readonly status: number
  readonly seconds: number
  readonly bytes: number
  readonly requestId: string
  readonly principal: Principal | undefined
  /** Of the client; empty when the connection was gone. */
  readonly address: string
}

/** What stands in every answer. Nothing of it is for a browser's page: this is no web site. */
const commonHeaders = {
  'Cache-Control': 'private, no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Svc-Api-Version': '2026-11-01',
}

const nobody: Principal = { tokenId: 0, actor: 'anonymous', scopes: new Set(), projects: new Set() }

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly path: string
  principal: Principal | undefined
  /** Set when limits and scope were looked at, which is done once. */
  admitted: Principal | undefined
  route: AnyRoute | undefined
  /** From entrances and guards: limits. */
  readonly headers: Record<string, string>
  /** What is to be done when the request is over. */
  readonly endings: (() => void)[]
  sent: { readonly status: number; readonly bytes: number } | undefined
}

export function createApp(parts: AppParts): Koa {
  const cache = createByteCache(parts.cacheBytes)
  const exchanges = new WeakMap<Context, Exchange>()
  const nextId = createRequestIds()

  const dispatch = createDispatch(parts.routes, async (route, context) => {
    const exchange = exchanges.get(context)
    if (exchange !== undefined) await answer(route, exchange, context.params as Record<string, string>)
  })

  async function answer(
    route: AnyRoute,
    exchange: Exchange,
    params: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { request } = exchange
    const principal = exchange.admitted ?? (await admit(route, exchange))
    const call = await prepareCall(route, parts, {
      request,
      requestId: exchange.requestId,
      principal,
      params,
    })
    if ('status' in call) return sendReply(exchange, call)
    const revision =
      route.cached === true && call.project !== undefined
        ? await parts.storage.revision(call.project)
        : undefined
    const reply = await route.handle(call)
    const { headers, bytes } = encode(reply)
    if (revision !== undefined && call.project !== undefined && reply.status === 200) {
      cache.set(cacheKey(request), { route, project: call.project, revision, headers, bytes })
    }
    send(exchange, reply.status, headers, bytes)
  }

  /** Who asks, within his limits and with the right scope. */
  async function admit(route: AnyRoute, exchange: Exchange): Promise<Principal> {
    const { request } = exchange
    exchange.route = route
    const principal = await identify(route.scope === 'public', exchange)
    const after: After = work => exchange.endings.push(work)
    for (const guard of parts.guards) {
      Object.assign(exchange.headers, guard({ route, principal, request, after }))
    }
    requireScope(route, principal)
    exchange.admitted = principal
    return principal
  }

  /** True when the answer was there: then neither the router nor the handler has to be asked. */
  async function answerCached(exchange: Exchange): Promise<boolean> {
    const { method } = exchange.request
    const known = method === 'GET' || method === 'HEAD' ? cache.get(cacheKey(exchange.request)) : undefined
    if (known === undefined) return false
    const principal = await admit(known.route, exchange)
    if (!maySee(principal, known.project)) return false
    if ((await parts.storage.revision(known.project)) !== known.revision) return false
    send(exchange, 200, known.headers, known.bytes)
    return true
  }

  function enter(exchange: Exchange): void {
    const after: After = work => exchange.endings.push(work)
    for (const entrance of parts.entrances) {
      Object.assign(exchange.headers, entrance(exchange.request, after))
    }
  }

  function sendReply(exchange: Exchange, reply: Reply): void {
    const { headers, bytes } = encode(reply)
    send(exchange, reply.status, headers, bytes)
  }

  async function identify(isPublic: boolean, exchange: Exchange): Promise<Principal> {
    if (isPublic) return nobody
    const found = parts.authenticate(exchange.request)
    const principal = found instanceof Promise ? await found : found
    exchange.principal = principal
    return principal
  }

  /** A path without a route: only who has a token is told that there is none. */
  async function answerUnrouted(exchange: Exchange): Promise<void> {
    const { request, path } = exchange
    const methods = dispatch.methodsOf(path)
    const allow = { Allow: methods.join(', ') }
    if (request.method === 'OPTIONS' && methods.length > 0) return send(exchange, 204, allow, Buffer.alloc(0))
    await identify(!path.startsWith('/api/svc'), exchange)
    if (methods.length === 0) throw notFound('path')
    throw new Problem('method_not_allowed', `This path knows ${allow.Allow}.`, { headers: allow })
  }

  function sendProblem(exchange: Exchange, error: unknown): void {
    const problem = problemOf(error)
    if (problem.status >= 500) parts.onError(error, exchange.requestId)
    const body = problemBody(problem, exchange.path, exchange.requestId)
    const headers = { 'Content-Type': 'application/problem+json; charset=utf-8', ...problem.parts.headers }
    send(exchange, problem.status, headers, Buffer.from(JSON.stringify(body)))
  }

  const app = new Koa()
  app.silent = true
  app.use(async context => {
    const started = performance.now()
    const exchange = openExchange(context, nextId)
    exchanges.set(context, exchange)
    context.respond = false
    try {
      enter(exchange)
      if (!(await answerCached(exchange))) {
        await dispatch.find(exchange.path)?.(context, async () => {})
        if (exchange.route === undefined) await answerUnrouted(exchange)
      }
    } catch (error) {
      sendProblem(exchange, error)
    }
    const { route, principal, requestId, path, sent } = exchange
    const seconds = (performance.now() - started) / 1000
    const { status = 0, bytes = 0 } = sent ?? {}
    for (const end of exchange.endings) end()
    const address = parts.addressOf(context.req)
    for (const observer of parts.observers) {
      observer({ route, method: context.method, path, status, seconds, bytes, requestId, principal, address })
    }
  })
  return app
}

function openExchange(context: Context, nextId: () => string): Exchange {
  const given = context.req.headers['x-request-id']
  const requestId = typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : nextId()
  const { req: request, res: response, path } = context
  return {
    request,
    response,
    requestId,
    path,
    principal: undefined,
    admitted: undefined,
    route: undefined,
    headers: {},
    endings: [],
    sent: undefined,
  }
}

/** Short, in order, and unlike those of another process. */
function createRequestIds(): () => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

function cacheKey(request: IncomingMessage): string {
  return request.headers.accept?.includes(pageMedia) ? `${request.url}\n${pageMedia}` : (request.url ?? '')
}

function encode({ body, headers = {} }: Reply): {
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
} {
  if (Buffer.isBuffer(body)) return { headers, bytes: body }
  if (body === undefined) return { headers, bytes: Buffer.alloc(0) }
  return {
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    bytes: Buffer.from(JSON.stringify(body)),
  }
}

/** One call of `writeHead` and one of `end`: what Koa would do header by header costs a third of a request. */
function send(
  exchange: Exchange,
  status: number,
  headers: Readonly<Record<string, string | number>>,
  bytes: Buffer,
): void {
  const { request, response } = exchange
  if (response.headersSent || response.destroyed) return
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const tag = headers['ETag']
  if (status === 200 && isRead && isUnchanged(request.headers['if-none-match'], tag as string | undefined)) {
    exchange.sent = { status: 304, bytes: 0 }
    response.writeHead(304, {
      ...commonHeaders,
      ...exchange.headers,
      ETag: tag,
      ...(headers['Vary'] === undefined ? {} : { Vary: headers['Vary'] }),
      'X-Request-Id': exchange.requestId,
    })
    response.end()
    return
  }
  const all: OutgoingHttpHeaders = Object.assign({}, commonHeaders, exchange.headers, headers)
  if (status !== 204) all['Content-Length'] = bytes.length
  all['X-Request-Id'] = exchange.requestId
  response.writeHead(status, all)
  response.end(request.method === 'HEAD' ? undefined : bytes)
  exchange.sent = { status, bytes: bytes.length }
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StorageError) return storageProblem(error)
  return new Problem('internal', 'This is a bug in svc-hosted; its log has more under the request id.')
}

function storageProblem(error: StorageError): Problem {
  switch (error.kind) {
    case 'unique':
      return new Problem('already_exists', 'There is such a record already.')
    case 'reference':
      return new Problem('in_use', 'Another record refers to this one.')
    case 'full':
      return new Problem(
        'storage_full',
        'The disk of the database is full: reading goes on, writing does not.',
      )
    case 'busy':
    case 'unavailable':
      return new Problem('unavailable', 'The database does not answer just now.', {
        headers: { 'Retry-After': '1' },
      })
    case 'required':
      return new Problem('internal', 'This is a bug in svc-hosted; its log has more under the request id.')
  }
}
