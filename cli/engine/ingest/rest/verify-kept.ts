/**
 * Finds out whether the pages that an interrupted fetch kept are still where they were: records that came or
 * went meanwhile move all pages behind them, and going on would load some records twice and others never. The
 * first and the last kept page are asked for again; of a source that pages by token only the last one, because
 * new records before a token do not move it.
 */
import { newShape } from '@svc/server/language'
import type { IngestOf } from '../source.ts'
import type { WalkState } from './checkpoint.ts'
import type { HttpClient } from './http-client.ts'
import type { ResumePoint } from './keep-pages.ts'
import { createPaginator, type PageSeen } from './paginate.ts'
import { createPageReader, type PageReader } from './read-page.ts'
import type { RequestTemplate } from './request-template.ts'
import { pageSeen } from './walk-pages.ts'

export interface KeptPagesCheck {
  readonly ingest: IngestOf<'rest_api'>
  readonly client: HttpClient
  readonly template: RequestTemplate
}

/**
 * Returns the state with what the source says now about the next page; undefined if a page is another one
 * now. Throws SvcError like a fetch.
 */
export async function verifyKept(
  { checkpoint }: ResumePoint,
  { ingest, client, template }: KeptPagesCheck,
): Promise<WalkState | undefined> {
  const { walk, place } = checkpoint
  const pages = { page: () => undefined }
  const spool = { records: 0, write: () => undefined }
  const reader = createPageReader({ ingest, client, template, place, pages, spool, shape: newShape() })
  const last = await askAgain(walk.last, walk.lastHash, reader, client)
  if (last === undefined) return undefined
  if (walk.last.request.number === 1) return { ...walk, first: last, last }
  if (isPagedByToken(walk, ingest)) return { ...walk, last }
  const first = await askAgain(walk.first, walk.firstHash, reader, client)
  return first === undefined ? undefined : { ...walk, first, last }
}

/** Returns the page as it is now; undefined if it has other records. */
async function askAgain(
  kept: PageSeen,
  hash: string,
  reader: PageReader,
  client: HttpClient,
): Promise<PageSeen | undefined> {
  const response = await client.send(kept.request)
  const page = response.body === undefined ? undefined : await reader.read(response)
  return (page?.hash ?? '') === hash ? pageSeen(response, page, kept.before) : undefined
}

function isPagedByToken({ last, way }: WalkState, { paginate }: IngestOf<'rest_api'>): boolean {
  return createPaginator({ ...paginate, ...way }, false).isToken(last)
}
