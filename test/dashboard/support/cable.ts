/** What lies between a browser and the dashboard, as a proxy that a test can pull out and put back. */
import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Cable {
  /** For the browser's settings. */
  readonly proxy: string
  /** Every connection ends, and no new one is made. */
  cut(): void
  repair(): void
  close(): void
}

export async function layCable(): Promise<Cable> {
  let isCut = false
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    if (isCut) {
      incoming.socket.destroy()
      return
    }
    const { method, headers, url = '' } = incoming
    const asked = request(url, { method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    asked.on('error', () => outgoing.destroy())
    outgoing.on('close', () => asked.destroy())
    incoming.pipe(asked)
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const pull = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    proxy: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      pull()
    },
    repair() {
      isCut = false
    },
    close() {
      server.close()
      pull()
    },
  }
}
