/** A server that only this machine reaches: one port on 127.0.0.1 and, where there is one, on ::1. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Loopback {
  readonly port: number
  /** Without a slash at the end. */
  readonly base: string
  /** Until then every request is answered with 503. */
  answer(listener: RequestListener): void
  /** Takes no new connections. */
  stop(): void
  /** Ends those that are there. */
  cut(): void
}

/** `port` 0: any free one. Rejects with `EADDRINUSE` or `EACCES`. */
export async function listenOnLoopback(port: number): Promise<Loopback> {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end()
  const ask: RequestListener = (request, response) => listener(request, response)
  const server = createServer(ask)
  const given = await listen(server, port, '127.0.0.1')
  // `localhost` is that first on many machines; who has no IPv6 goes without.
  const second = createServer(ask)
  await listen(second, given, '::1').catch(() => undefined)
  const servers = [server, second]
  return {
    port: given,
    base: `http://127.0.0.1:${given}`,
    answer(next) {
      listener = next
    },
    stop() {
      for (const each of servers) each.close()
    },
    cut() {
      for (const each of servers) each.closeAllConnections()
    },
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
