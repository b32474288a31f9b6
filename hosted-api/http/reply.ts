import { revisionTag } from './etag.ts'
import type { Call } from './route.ts'

/** The result of a handler; the server turns it into bytes. */
export interface Reply {
  readonly status: number
  /** Serialized as JSON. Bytes are sent unchanged, with the `Content-Type` in `headers`. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function ok(body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 200, body, headers }
}

export function created(
  location: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status: 201, body, headers: { Location: location, ...headers } }
}

/** Returns an answer that stands until something changes in the project of the request. */
export async function okAtRevision(
  { storage, project }: Pick<Call, 'storage' | 'project'>,
  body: unknown,
): Promise<Reply> {
  return ok(body, { ETag: revisionTag((await storage.revision(Number(project))) ?? 0) })
}
