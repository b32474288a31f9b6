/**
 * Which connections of the server are idle. Node counts an answer as done when the last of it was handed to the stream, although
 * its reader may need a while for what waits there: `closeIdleConnections`, and `close` too, would cut it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** Closes those without a request that has begun and without an answer that is being read. */
  closeIdle(): void
}

interface Connection {
  /** Requests whose answers are not written to the end. */
  open: number
  /** Bytes that had come when the last of them was: more are the begin of another request. */
  read: number
}

/** Call it before the server listens. */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { open: 0, read: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  const begin = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    connection.open++
    // It comes after the last byte was written, and where the reader went away.
    response.once('close', () => {
      connection.open--
      connection.read = socket.bytesRead
    })
  }
  for (const event of ['request', 'checkExpectation']) server.prependListener(event, begin)
  return {
    closeIdle() {
      for (const [socket, { open, read }] of connections) {
        if (open === 0 && socket.bytesRead === read) socket.destroy()
      }
    },
  }
}
