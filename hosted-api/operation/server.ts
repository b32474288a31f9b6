/** The HTTP server: timeouts, connections, and answers to invalid HTTP. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Problem, type ProblemCode, problemBody } from '../http/index.ts'

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

export function createHttpServer(limits: ServerLimits, listener: RequestListener): Server {
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
  server.on('clientError', answerClientError)
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

/** The request could not be parsed, so the answer is written by hand. */
function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [code, detail] =
    clientErrors[error.code ?? ''] ?? (['invalid_header', 'This is no HTTP request.'] as const)
  const problem = new Problem(code, detail)
  const body = JSON.stringify(problemBody(problem, '', ''))
  socket.end(
    `HTTP/1.1 ${problem.status} ${code}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
