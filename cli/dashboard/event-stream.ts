/**
 * Server-sent events over one response: framing and heartbeats. Events are not buffered for a client that
 * does not read.
 */
import type { ServerResponse } from 'node:http'

const heartbeatMs = 15_000
/** The connection of a slow client is closed at this size; it reconnects with the id of its last event. */
const mostUnreadBytes = 8 * 1024 * 1024

export function openEventStream(response: ServerResponse, onClose: () => void) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
  response.write('retry: 1000\n\n')
  const heartbeat = setInterval(() => response.write(': here\n\n'), heartbeatMs)
  heartbeat.unref()
  response.once('close', () => {
    clearInterval(heartbeat)
    onClose()
  })
  return {
    send({ id, type, data }: { readonly id?: string; readonly type: string; readonly data: unknown }) {
      if (response.destroyed || response.writableEnded) return
      const head = id === undefined ? '' : `id: ${id}\n`
      response.write(`${head}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
      if (response.writableLength > mostUnreadBytes) response.destroy()
    },
    /** Ends the response. */
    close: () => response.end(),
  }
}
