/** Speaks with a server byte by byte, as no decent client does. */
import { connect } from 'node:net'

export interface RawAnswer {
  /** 0: the connection ended without one. */
  readonly status: number
  readonly text: string
}

/** Sends parts with pauses between, and waits for the end of the connection, or `patience` milliseconds. */
export function speak(
  url: string,
  parts: readonly (string | Buffer)[],
  pause = 0,
  patience = 8000,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname)
    let text = ''
    const done = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text })
    }
    const timer = setTimeout(done, patience)
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
    })
    socket.on('error', done).on('close', done)
    socket.on('connect', async () => {
      for (const part of parts) {
        if (socket.destroyed) return
        socket.write(part)
        if (pause > 0) await new Promise(next => setTimeout(next, pause))
      }
    })
  })
}
