/**
 * Graceful shutdown: requests in progress are completed, new ones are refused, and a deadline limits the
 * time.
 */
import type { Server as HttpServer } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connections } from './connections.ts'

export interface StopTimes {
  /**
   * Seconds between "not ready" and the end of listening, in which load balancers switch to other servers.
   */
  readonly drain: number
  /** Seconds after which open connections are closed. */
  readonly deadline: number
}

/** The polling interval in milliseconds; connections become idle one by one. */
const lookEvery = 50

export function createStopping({ drain, deadline }: StopTimes) {
  let stopping = false
  return {
    isStopping: () => stopping,
    /** Tells clients that the connection is closed after the answer. */
    entrance: () => (stopping ? { Connection: 'close' } : undefined),
    /** Resolves with true if all requests were answered, and with false at the deadline. */
    async stop(server: HttpServer, connections: Connections) {
      stopping = true
      if (drain > 0) await wait(drain * 1000)
      // The `close` of an HTTP server would cut answers that are being read.
      const closed = new Promise<void>(resolve => Server.prototype.close.call(server, () => resolve()))
      const idle = setInterval(connections.closeIdle, lookEvery)
      connections.closeIdle()
      const late = new AbortController()
      const cut = wait(deadline * 1000, false, { signal: late.signal }).catch(() => true)
      const inTime = await Promise.race([closed.then(() => true), cut])
      late.abort()
      clearInterval(idle)
      if (!inTime) server.closeAllConnections()
      await closed
      // It no longer listens: this ends its timer for requests that come slowly.
      server.close()
      return inTime
    },
  }
}
