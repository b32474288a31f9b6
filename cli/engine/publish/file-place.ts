/** The place of a published file: one file a kind, listed here. A client is loaded only when it is used. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RemoteScheme } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { DestinationRequest } from './destination.ts'

export interface FilePlace {
  /** Where it is, as a person may see it. */
  readonly shown: string
  /** What tells this place from others, without secrets. */
  readonly place: string
  exists(): Promise<boolean>
  /** Returns where the file is written first. */
  draft(): Promise<string>
  /** Puts the finished draft into its place: readers see the old file or the new one. */
  put(draft: string): Promise<void>
  /** Removes what publishes to this place that did not come to their end have left beside it. */
  tidy(): Promise<void>
  close(): Promise<void>
}

/** Returns where a file is written that goes to another machine. */
export async function draftIn(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return join(folder, 'draft')
}

/** Returns the name under which a file is written beside its place; readers who look for files pass it by. */
export function draftName(name: string, mark: string | number): string {
  return `.${name}.${mark}.tmp`
}

/** Returns whether a name is one of `draftName` for the same file. */
export function isDraftOf(name: string, candidate: string): boolean {
  return candidate.startsWith(`.${name}.`) && /^[0-9a-f]+\.tmp$/.test(candidate.slice(name.length + 2))
}

export interface PlaceRequest {
  readonly request: DestinationRequest
  /** The endpoint, with what its variable says. */
  readonly endpoint: string
}

const places: Readonly<Record<'s3' | 'sftp', (request: PlaceRequest) => Promise<FilePlace>>> = {
  s3: async request => (await import('./s3-place.ts')).s3FilePlace(request),
  sftp: async request => (await import('./sftp-place.ts')).sftpFilePlace(request),
}

export async function remotePlace(scheme: RemoteScheme, request: PlaceRequest): Promise<FilePlace> {
  if (scheme === 'http')
    throw new SvcError('destination-shape', 'no file can be written to a web address', {
      hint: 'A web service is type: http; files go to a folder, to s3:// or to sftp://.',
    })
  return await places[scheme](request)
}
