/** One request and its answer: the state while it is processed, and how the answer is written. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Context } from 'koa'
import { StorageError } from '../storage/index.ts'
import type { EncodedReply } from './apart.ts'
import { isUnchanged } from './etag.ts'
import type { Principal } from './principal.ts'
import { Problem } from './problems.ts'
import type { Reply } from './reply.ts'
import type { AnyRoute } from './route.ts'
import { pathOf } from './target.ts'

/**
 * The headers of every answer. They forbid browsers to do anything with it, because this is not a web site.
 */
export const commonHeaders = {
  'Cache-Control': 'private, no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Svc-Api-Version': '2026-11-01',
}

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly path: string
  principal: Principal | undefined
  /** Set when limits and scope have been checked, which happens once. */
  admitted: Principal | undefined
  route: AnyRoute | undefined
  /** Headers from entrances and guards: limits. */
  readonly headers: Record<string, string>
  /** Called when the request has ended. */
  readonly endings: (() => void)[]
  sent: { readonly status: number; readonly bytes: number } | undefined
}

export function openExchange(context: Context, nextId: () => string): Exchange {
  const given = context.req.headers['x-request-id']
  const requestId = typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : nextId()
  const { req: request, res: response } = context
  const path = pathOf(request.url ?? '/')
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

/** Ids are short, ordered, and unique across processes. */
export function createRequestIds(): () => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

/** Returns headers and body of an answer, ready to be sent. */
export function encodeReply({ status, body, headers = {} }: Reply): EncodedReply {
  if (Buffer.isBuffer(body)) return { status, headers, bytes: body }
  if (body === undefined) return { status, headers, bytes: Buffer.alloc(0) }
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    bytes: Buffer.from(JSON.stringify(body)),
  }
}

/** Calls `writeHead` and `end` once: setting headers one by one, as Koa does, costs a third of a request. */
export function send(
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

export function problemOf(error: unknown): Problem {
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
