/** The Koa application, which turns every request into exactly one answer. */
import type { IncomingMessage } from 'node:http'
import Koa, { type Context } from 'koa'
import type { AnswerApart, EncodedReply } from './apart.ts'
import { type ByteCache, createByteCache } from './byte-cache.ts'
import { createDispatch, type Dispatch } from './dispatch.ts'
import { revisionTag } from './etag.ts'
import { createRequestIds, type Exchange, encodeReply, openExchange, problemOf, send } from './exchange.ts'
import { pageMedia } from './list.ts'
import { maySee, type Principal } from './principal.ts'
import { notFound, Problem, problemBody } from './problems.ts'
import { hasBody, ignoreBody } from './read-body.ts'
import type { AnyRoute, Call } from './route.ts'
import { type After, type Entrance, prepareCall, type RouteWorld, requireScope } from './run-route.ts'
import { originForm } from './target.ts'

export interface AppParts extends RouteWorld {
  readonly routes: readonly AnyRoute[]
  readonly entrances: readonly Entrance[]
  /** Returns the address of the client, which behind a proxy is not that of the socket. */
  readonly addressOf: (request: IncomingMessage) => string
  /** Called after every answer, for logs and metrics. */
  readonly observers: readonly ((seen: Seen) => void)[]
  /** Called for bugs and failures of the database; the client sees only the request id. */
  readonly onError: (error: unknown, requestId: string) => void
  /** Left out: long questions are answered in this process. */
  readonly answerApart?: AnswerApart | undefined
  /** The size of the answer cache in bytes; 0 turns it off. */
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
  /** The address of the client; empty if the connection was closed. */
  readonly address: string
}

const nobody: Principal = {
  tokenId: 0,
  actor: 'anonymous',
  scopes: new Set(),
  projects: new Set(),
  expiresAt: 0,
}

export function createApp(parts: AppParts): Koa {
  const handling = new RequestHandling(parts)
  const app = new Koa()
  app.silent = true
  app.use(context => handling.take(context))
  return app
}

/** Answers requests and caches answers. */
class RequestHandling {
  readonly #parts: AppParts
  readonly #cache: ByteCache
  readonly #exchanges = new WeakMap<Context, Exchange>()
  readonly #nextId = createRequestIds()
  readonly #dispatch: Dispatch

  constructor(parts: AppParts) {
    this.#parts = parts
    this.#cache = createByteCache(parts.cacheBytes)
    this.#dispatch = createDispatch(parts.routes, async (route, context) => {
      const exchange = this.#exchanges.get(context)
      if (exchange !== undefined)
        await this.#answer(route, exchange, context.params as Record<string, string>)
    })
  }

  async take(context: Context): Promise<void> {
    const started = performance.now()
    const target = originForm(context.req.url ?? '')
    context.req.url = target ?? '/'
    const exchange = openExchange(context, this.#nextId)
    this.#exchanges.set(context, exchange)
    // Otherwise Koa would write the answer a second time.
    context.respond = false
    try {
      if (target === undefined)
        throw new Problem('malformed_target', 'The address of the request cannot be read.')
      this.#enter(exchange)
      if (!(await this.#answerCached(exchange))) {
        await this.#dispatch.find(exchange.path, context.method)?.(context, async () => {})
        if (exchange.route === undefined) await this.#answerUnrouted(exchange)
      }
    } catch (error) {
      this.#sendProblem(exchange, error)
    }
    this.#end(context, exchange, (performance.now() - started) / 1000)
  }

  #end({ method, req }: Context, exchange: Exchange, seconds: number): void {
    const { route, principal, requestId, path, sent } = exchange
    const { status = 0, bytes = 0 } = sent ?? {}
    for (const end of exchange.endings) end()
    const address = this.#parts.addressOf(req)
    for (const observer of this.#parts.observers) {
      observer({ route, method, path, status, seconds, bytes, requestId, principal, address })
    }
  }

  async #answer(
    route: AnyRoute,
    exchange: Exchange,
    params: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { request } = exchange
    const principal = exchange.admitted ?? (await this.#admit(route, exchange, params))
    const call = await prepareCall(route, this.#parts, {
      request,
      requestId: exchange.requestId,
      principal,
      params,
      after: work => exchange.endings.push(work),
    })
    if ('status' in call) {
      const { status, headers, bytes } = encodeReply(call)
      return send(exchange, status, headers, bytes)
    }
    const revision =
      route.cached === true && call.project !== undefined && seesAll(route, principal)
        ? await this.#parts.storage.revision(call.project)
        : undefined
    if (route.isLong === true) exchange.endings.push(await this.#parts.takeTurn(principal))
    const reply = await this.#reply(route, atRevision(call, revision), revision)
    const { status, bytes } = reply
    const headers = withTag(reply, revision)
    if (revision !== undefined && call.project !== undefined && status === 200) {
      this.#cache.set(cacheKey(request), { route, project: call.project, revision, headers, bytes })
    }
    send(exchange, status, headers, bytes)
  }

  async #reply(route: AnyRoute, call: Call, revision: number | undefined): Promise<EncodedReply> {
    const apart = isHeavy(route, call) ? await this.#parts.answerApart?.(route, call, revision) : undefined
    return apart ?? encodeReply(await route.handle(call))
  }

  /** Authenticates the request, and refuses it if a limit is exceeded or a scope is missing. */
  async #admit(
    route: AnyRoute,
    exchange: Exchange,
    params: Readonly<Record<string, string>> = {},
  ): Promise<Principal> {
    const { request } = exchange
    exchange.route = route
    const principal = await this.#identify(route.scope === 'public', exchange)
    const after: After = work => exchange.endings.push(work)
    for (const guard of this.#parts.guards) {
      Object.assign(exchange.headers, guard({ route, principal, params, request, after }))
    }
    requireScope(route, principal)
    exchange.admitted = principal
    return principal
  }

  /** Returns true if the answer was cached, so that neither router nor handler is needed. */
  async #answerCached(exchange: Exchange): Promise<boolean> {
    const { method } = exchange.request
    const known =
      method === 'GET' || method === 'HEAD' ? this.#cache.get(cacheKey(exchange.request)) : undefined
    if (known === undefined) return false
    const principal = await this.#admit(known.route, exchange)
    if (!maySee(principal, known.project) || !seesAll(known.route, principal)) return false
    if ((await this.#parts.storage.revision(known.project)) !== known.revision) return false
    send(exchange, 200, known.headers, known.bytes)
    return true
  }

  #enter(exchange: Exchange): void {
    const after: After = work => exchange.endings.push(work)
    for (const entrance of this.#parts.entrances) {
      Object.assign(exchange.headers, entrance(exchange.request, after))
    }
  }

  async #identify(isPublic: boolean, exchange: Exchange): Promise<Principal> {
    if (isPublic) return nobody
    const authenticated = this.#parts.authenticate(exchange.request)
    const principal = authenticated instanceof Promise ? await authenticated : authenticated
    exchange.principal = principal
    return principal
  }

  /** Answers a path without a route: 404 only with a valid token, otherwise 401. */
  async #answerUnrouted(exchange: Exchange): Promise<void> {
    const { request, path } = exchange
    const methods = this.#dispatch.methodsOf(path)
    const allow = { Allow: methods.join(', ') }
    if (request.method === 'OPTIONS' && methods.length > 0) return send(exchange, 204, allow, Buffer.alloc(0))
    await this.#identify(!path.startsWith('/api/svc'), exchange)
    if (methods.length === 0) throw notFound('path')
    throw new Problem('method_not_allowed', `This path knows ${allow.Allow}.`, { headers: allow })
  }

  #sendProblem(exchange: Exchange, error: unknown): void {
    const problem = problemOf(error)
    // A refusal on purpose (busy, too long) is no failure: the line of the request says it.
    if (problem.status >= 500 && error !== problem) this.#parts.onError(error, exchange.requestId)
    // The body of a request that was refused before is nobody's; a client reads the answer when it has sent all of it.
    if (exchange.request.readableFlowing === null && hasBody(exchange.request)) ignoreBody(exchange.request)
    const body = problemBody(problem, exchange.path, exchange.requestId)
    const headers = { 'Content-Type': 'application/problem+json; charset=utf-8', ...problem.parts.headers }
    send(exchange, problem.status, headers, Buffer.from(JSON.stringify(body)))
  }
}

/** Answers in the cache are whole ones: a token that sees less of them has its own made. */
function seesAll({ alsoShows = [] }: AnyRoute, { scopes }: Principal): boolean {
  return alsoShows.every(scope => scopes.has(scope))
}

function isHeavy({ isLong, isShort }: AnyRoute, { query }: Call): boolean {
  return isLong === true && isShort?.(query as Readonly<Record<string, unknown>>) !== true
}

/**
 * The tag of an answer has the revision from before it was made: with a later one, a client would keep an answer without
 * what was written meanwhile.
 */
function atRevision(call: Call, revision: number | undefined): Call {
  if (revision === undefined) return call
  const { storage, project } = call
  const read = async (asked: number) => (asked === project ? revision : storage.revision(asked))
  return { ...call, storage: { ...storage, revision: read } }
}

/** An answer that stands until the revision changes has a tag, if the handler knows no better one. */
function withTag({ status, headers }: EncodedReply, revision: number | undefined): EncodedReply['headers'] {
  if (revision === undefined || status !== 200 || headers['ETag'] !== undefined) return headers
  return { ...headers, ETag: revisionTag(revision) }
}

function cacheKey(request: IncomingMessage): string {
  return request.headers.accept?.includes(pageMedia) ? `${request.url}\n${pageMedia}` : (request.url ?? '')
}
