/** A way to a server that breaks when a test says so. */
import { connect, createServer, type Socket } from 'node:net'

export interface FragileProxy {
  readonly port: number
  /** Which connection is made, from 1. */
  readonly connections: number
  /** Whether the connection breaks before this is passed on. */
  breaksAt: (data: Buffer, from: 'client' | 'server', connection: number) => boolean
  stop(): void
}

export async function startFragileProxy(port: number): Promise<FragileProxy> {
  const open = new Set<Socket>()
  const proxy = { port: 0, connections: 0, breaksAt: () => false, stop } as {
    -readonly [key in keyof FragileProxy]: FragileProxy[key]
  }
  const server = createServer(near => {
    const connection = ++proxy.connections
    const far = connect(port, '127.0.0.1')
    const both = [near, far]
    const end = () => {
      for (const socket of both) socket.destroy()
    }
    for (const [from, to, side] of [
      [near, far, 'client'],
      [far, near, 'server'],
    ] as const) {
      open.add(from)
      from.on('error', end)
      from.on('close', () => {
        open.delete(from)
        end()
      })
      from.on('data', data => {
        if (proxy.breaksAt(data, side, connection)) end()
        else to.write(data)
      })
    }
  })
  function stop() {
    for (const socket of open) socket.destroy()
    server.close()
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  proxy.port = typeof address === 'object' && address !== null ? address.port : 0
  return proxy
}

/** The address through a proxy. */
export function through(address: string, { port }: FragileProxy): string {
  const url = new URL(address)
  url.port = String(port)
  return url.href
}
