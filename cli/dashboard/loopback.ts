/** A server that only this machine can reach: one port on 127.0.0.1 and, if available, on ::1. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `port` 0 means any free one. Rejects with `EADDRINUSE` or `EACCES`. */
export async function listenOnLoopback(port: number) {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end()
  const ask: RequestListener = (request, response) => listener(request, response)
  const server = createServer(ask)
  const given = await listen(server, port, '127.0.0.1')
  // On many machines `localhost` resolves to ::1 first; a machine without IPv6 works without it.
  const second = createServer(ask)
  await listen(second, given, '::1').catch(() => undefined)
  const servers = [server, second]
  return {
    port: given,
    /** The address without a final slash. */
    base: `http://127.0.0.1:${given}`,
    /** Sets the listener; until then every request gets 503. */
    answer(next: RequestListener) {
      listener = next
    },
    /** Accepts no new connections. */
    stop() {
      for (const each of servers) each.close()
    },
    /** Closes existing connections. */
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
