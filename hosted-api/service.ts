/** The service put together: a store, who may ask, the routes, and the HTTP server around them. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTokenReader, ensureBootstrapToken } from './access/index.ts'
import { createApp } from './http/index.ts'
import { allRoutes } from './routes.ts'
import { openStorage, type Storage, type StorageOptions } from './storage/index.ts'

export interface ServiceOptions extends StorageOptions {
  readonly host: string
  /** 0: one that is free. */
  readonly port: number
  readonly bootstrapToken: string | undefined
  /** Memory for ready-made answers, in bytes. */
  readonly cacheBytes: number
  readonly onError: (error: unknown, requestId: string) => void
}

export interface Service {
  readonly url: string
  readonly storage: Storage
  /** Takes no new requests, answers those that it has, closes the database. */
  stop(): Promise<void>
}

/** @throws what `openStorage` throws, BootstrapTokenError, or what the operating system says about the address */
export async function startService(options: ServiceOptions): Promise<Service> {
  const storage = await openStorage(options)
  try {
    if (options.bootstrapToken !== undefined) await ensureBootstrapToken(storage, options.bootstrapToken)
    const tokens = createTokenReader(storage)
    const app = createApp({
      storage,
      authenticate: tokens.authenticate,
      guards: [],
      observers: [],
      routes: allRoutes({ tokens }),
      onError: options.onError,
      cacheBytes: options.cacheBytes,
    })
    const server = createServer(timeouts, app.callback())
    await listen(server, options)
    return { url: urlOf(server), storage, stop: () => stop(server, storage) }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Milliseconds. Slow clients hold a socket, not a place. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2000,
}

function listen(server: Server, { host, port }: ServiceOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function stop(server: Server, storage: Storage): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  await closed
  await storage.close()
}
