/** Opens a destination: one line a kind. Nothing is connected yet. */
import { withNativePart } from '@svc/server/catalog'
import type { DestinationType } from '@svc/server/language'
import type { DestinationRequest, OpenDestination } from './destination.ts'

/** Drivers are loaded only where they are needed. */
const openers: Readonly<Record<DestinationType, (request: DestinationRequest) => Promise<OpenDestination>>> =
  {
    postgres: async request => (await import('./postgres.ts')).openPostgresTable(request),
    mysql: async request => (await import('./mysql.ts')).openMysqlTable(request),
    duckdb: async request => (await withNativePart(() => import('./duckdb.ts'))).openDuckdbTable(request),
    http: async request => (await import('./http/http.ts')).openHttp(request),
    file: async request => (await import('./file.ts')).openFile(request),
  }

export function openDestination(request: DestinationRequest): Promise<OpenDestination> {
  return openers[request.target.type](request)
}
