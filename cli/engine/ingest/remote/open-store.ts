/** Opens the place of files that are not on this machine: one line a kind. Nothing is connected yet, and clients are loaded only here. */
import type { RemoteScheme } from '@svc/server/language'
import type { FetchContext, IngestOf } from '../source.ts'
import type { FileStore } from './file-store.ts'

export interface StoreRequest {
  readonly ingest: IngestOf<'file'>
  /** The endpoint, with what its variable says. */
  readonly endpoint: string
  readonly context: FetchContext
  /** Tells the user what goes on: a retry, a pause. */
  readonly note: (text: string) => void
}

const openers: Readonly<Record<RemoteScheme, (request: StoreRequest) => Promise<FileStore>>> = {
  http: async request => (await import('./web-store.ts')).webStore(request),
  s3: async request => (await import('./s3-store.ts')).s3Store(request),
  sftp: async request => (await import('./sftp-store.ts')).sftpStore(request),
}

export function openStore(scheme: RemoteScheme, request: StoreRequest): Promise<FileStore> {
  return openers[scheme](request)
}
