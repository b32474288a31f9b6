/**
 * The progress of a fetch, in `progress.json` beside its spool. It is written after pages, so that an
 * interrupted fetch can continue with the next page. It holds no secret. If anything in it is inconsistent,
 * the fetch starts over.
 */
import { createHash } from 'node:crypto'
import type { RecordPlace, SavedPageLog } from '@svc/server/language'
import { findProgress, progressText, writeProgress } from '../progress-file.ts'
import type { FetchContext, IngestOf } from '../source.ts'
import type { SpoolState } from '../spool.ts'
import type { PageSeen } from './paginate.ts'
import { parseUrl } from './parse-url.ts'
import type { RequestTemplate } from './request-template.ts'

/** The position of a walk over pages. */
export interface WalkState {
  /** The first page decides how the others are requested; the last one says which page is next. */
  readonly first: PageSeen
  readonly last: PageSeen
  /** The hashes of the records of these pages, to find out later whether the source still has them there. */
  readonly firstHash: string
  readonly lastHash: string
  /** There are no more pages. */
  readonly done: boolean
}

export interface Checkpoint {
  readonly walk: WalkState
  readonly spool: SpoolState
  readonly place: RecordPlace | undefined
  readonly pages: number
  readonly bytes: number
  readonly pageLog: SavedPageLog
  /** How many turns are done before the one that the walk is about: rows of the asset of `for_each`, or windows. */
  readonly turnsBefore?: number
}

export type Found =
  | { readonly kind: 'nothing' }
  /** There is a checkpoint that cannot be used, for this reason. */
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }

/**
 * The text around the records of a response is stored up to this length; a fetch with a longer one cannot be
 * continued.
 */
const longestText = 1 << 20

export interface CheckpointFile {
  read(): Found
  save(checkpoint: Checkpoint): void
}

export function checkpointFile(
  ingest: IngestOf<'rest_api'>,
  template: RequestTemplate,
  { spoolFolder, now, parents }: FetchContext,
  until?: string,
): CheckpointFile {
  const definition = definitionOf(ingest, template, parents)
  const { secrets } = template
  return {
    read() {
      const found = findProgress(spoolFolder, definition, now())
      if (found.kind !== 'progress') return found
      const checkpoint = readPlain(mapTexts(found.checkpoint, secrets.unseal) as PlainCheckpoint)
      if (checkpoint === undefined) return { kind: 'unusable', reason: 'its record of progress is cut off' }
      return { kind: 'checkpoint', checkpoint }
    },
    save(checkpoint) {
      const plain = plainCheckpoint(checkpoint, ['link', ingest.paginate.header?.toLowerCase() ?? ''])
      const text = progressText({
        definition,
        savedAt: now().toISOString(),
        isDone: checkpoint.walk.done,
        ...(until !== undefined && { until }),
        checkpoint: mapTexts(plain, secrets.seal),
      })
      if (text.length <= longestText) writeProgress(spoolFolder, text)
    },
  }
}

/**
 * Returns everything that decides what is requested, including values of environment variables; credentials
 * are left out.
 */
export function definitionOf(
  ingest: IngestOf<'rest_api'>,
  template: RequestTemplate,
  parents: FetchContext['parents'],
): string {
  const { credentials, auth, limits, ...asked } = ingest
  const { method, url, body } = template
  const headers = Object.keys(ingest.headers).map(name => template.headers[name.toLowerCase()])
  const facts = [
    asked,
    limits.maxRows ?? null,
    method,
    url.href,
    body ?? null,
    headers,
    parents?.rows ?? null,
  ]
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}

// ---------------------------------------------------------------- as plain JSON

interface PlainPage {
  readonly request: { readonly url: string; readonly body: string | null; readonly number: number }
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly envelope: unknown
  readonly lastKey?: unknown
  readonly records: number
  readonly before: number
}

interface PlainCheckpoint extends Omit<Checkpoint, 'walk' | 'place'> {
  readonly place: RecordPlace | null
  readonly walk: Omit<WalkState, 'first' | 'last'> & { readonly first: PlainPage; readonly last: PlainPage }
}

function plainCheckpoint({ walk, place, ...rest }: Checkpoint, headers: readonly string[]): PlainCheckpoint {
  const [first, last] = [plainPage(walk.first, headers), plainPage(walk.last, headers)]
  return { ...rest, place: place ?? null, walk: { ...walk, first, last } }
}

/**
 * Keeps only the headers that may contain the address of the next page, because others may contain a session.
 */
function plainPage(page: PageSeen, names: readonly string[]): PlainPage {
  const { request, url, envelope, lastKey, records, before } = page
  const { body, number } = request
  const headers = Object.fromEntries(Object.entries(page.headers).filter(([name]) => names.includes(name)))
  return {
    request: { url: request.url.href, body: body ?? null, number },
    url: url.href,
    headers,
    envelope: envelope ?? null,
    ...(lastKey !== undefined && { lastKey }),
    records,
    before,
  }
}

function readPlain({ walk, place, ...rest }: PlainCheckpoint): Checkpoint | undefined {
  const first = readPage(walk.first)
  const last = readPage(walk.last)
  if (first === undefined || last === undefined) return undefined
  return { ...rest, place: place ?? undefined, walk: { ...walk, first, last } }
}

function readPage(page: PlainPage): PageSeen | undefined {
  const { body, number } = page.request
  const [asked, url] = [parseUrl(page.request.url), parseUrl(page.url)]
  if (asked === undefined || url === undefined) return undefined
  return { ...page, url, request: { url: asked, body: body ?? undefined, number } }
}

/** Returns the same value with every string in it changed, including keys. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(each => mapTexts(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [change(key), mapTexts(inner, change)]),
  )
}
