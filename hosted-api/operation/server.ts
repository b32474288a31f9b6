/** The HTTP server: timeouts, connections, and answers to invalid HTTP. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import {
  commonHeaders,
  createRequestIds,
  Problem,
  type ProblemCode,
  problemBody,
  type Seen,
} from '../http/index.ts'

/** 0 means no limit. */
export interface ServerLimits {
  readonly connections: number
  /** Seconds. */
  readonly headerTime: number
  readonly requestTime: number
  readonly uploadTime: number
}

/** In milliseconds. */
const keepAlive = 65_000
const lookEvery = 1000

/** @param onRefusal called for requests that are answered before the application sees them */
export function createHttpServer(
  limits: ServerLimits,
  listener: RequestListener,
  onRefusal: (seen: Seen) => void = () => {},
): Server {
  // Bodies have their own timeouts (`readBody`); this one is for requests whose body is not read.
  const longest =
    limits.requestTime === 0 || limits.uploadTime === 0 ? 0 : Math.max(limits.requestTime, limits.uploadTime)
  const server = createServer(
    {
      headersTimeout: limits.headerTime * 1000,
      requestTimeout: Math.max(longest, longest === 0 ? 0 : limits.headerTime) * 1000,
      keepAliveTimeout: keepAlive,
      connectionsCheckingInterval: lookEvery,
    },
    listener,
  )
  if (limits.connections > 0) server.maxConnections = limits.connections
  const nextId = createRequestIds()
  server.on('clientError', (error: ClientError, socket: Socket) => {
    answerClientError(error, socket, nextId(), onRefusal)
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const problem = new Problem('expectation_failed', 'Only Expect: 100-continue is supported.')
    const { head, body } = refusalOf(problem, nextId(), request.socket, onRefusal)
    response.writeHead(problem.status, head).end(body)
    request.resume()
  })
  return server
}

export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

export function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

const clientErrors: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of a request may have 16 kB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['timeout', 'The request did not arrive in time.'],
}

type ClientError = Error & { readonly code?: string }

/** The request could not be parsed, so the answer is written by hand. */
function answerClientError(
  error: ClientError,
  socket: Socket,
  requestId: string,
  onRefusal: (seen: Seen) => void,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [code, detail] =
    clientErrors[error.code ?? ''] ?? (['invalid_header', 'This is no HTTP request.'] as const)
  const problem = new Problem(code, detail)
  const { head, body } = refusalOf(problem, requestId, socket, onRefusal)
  const lines = Object.entries({ ...head, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${problem.status} ${code}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Returns the answer to a request without a route, and reports it like every other one. */
function refusalOf(problem: Problem, requestId: string, socket: Socket, onRefusal: (seen: Seen) => void) {
  const { status } = problem
  const body = JSON.stringify(problemBody(problem, '', requestId))
  const bytes = Buffer.byteLength(body)
  const address = socket.remoteAddress ?? ''
  const request = { route: undefined, method: '', path: '', principal: undefined }
  onRefusal({ ...request, status, seconds: 0, bytes, requestId, address })
  return {
    head: {
      ...commonHeaders,
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Length': bytes,
      'X-Request-Id': requestId,
    },
    body,
  }
}
