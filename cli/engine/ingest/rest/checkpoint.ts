/**
 * The progress of a fetch, in `progress.json` beside its spool. It is written after pages, so that an
 * interrupted fetch can continue with the next page. It holds no secret. If anything in it is inconsistent,
 * the fetch starts over.
 */
import { createHash } from 'node:crypto'
import type { RecordPlace, SavedPageLog } from '@svc/server/language'
import { cutOff, type FoundProgress, findProgress, progressText, writeProgress } from '../progress-file.ts'
import type { FetchContext, IngestOf } from '../source.ts'
import type { SpoolState } from '../spool.ts'
import type { PageRequest } from './http-client.ts'
import type { PageSeen } from './paginate.ts'
import { saysOfPages } from './paging/names.ts'
import type { SavedPageWarnings } from './paging/page-warnings.ts'
import type { Way } from './paging/shapes.ts'
import { parseUrl } from './parse-url.ts'
import type { RequestTemplate } from './request-template.ts'
import { headerOf } from './value-at.ts'

/** The position of a walk over pages. */
export interface WalkState {
  /** The first page decides how the others are requested; the last one says which page is next. */
  readonly first: PageSeen
  readonly last: PageSeen
  /** The hashes of the records of these pages, to find out later whether the source still has them there. */
  readonly firstHash: string
  readonly lastHash: string
  /** How the API pages, where the first page has shown it. */
  readonly way?: Way
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
  /** What there is to warn of so far. */
  readonly warnings?: SavedPageWarnings
}

/**
 * The text around the records of a response is stored up to this length; a fetch with a longer one cannot be
 * continued.
 */
const longestText = 1 << 20

export type CheckpointFile = ReturnType<typeof checkpointFile>

export function checkpointFile(
  ingest: IngestOf<'rest_api'>,
  template: RequestTemplate,
  { spoolFolder, now, parents }: FetchContext,
  until?: string,
) {
  const definition = definitionOf(ingest, template, parents)
  const { secrets } = template
  return {
    read(): FoundProgress<Checkpoint> {
      const found = findProgress(spoolFolder, definition, now())
      if (found.kind !== 'progress') return found
      const checkpoint = readPlain(mapTexts(found.checkpoint, secrets.unseal) as PlainCheckpoint)
      return checkpoint === undefined ? cutOff : { kind: 'progress', checkpoint }
    },
    save(checkpoint: Checkpoint): void {
      const { walk } = checkpoint
      const isKept = (name: string) => saysOfPages(name) || namedHeaders(ingest.paginate).includes(name)
      const [first, last] = [plainPage(walk.first, isKept), plainPage(walk.last, isKept)]
      const plain: PlainCheckpoint = { ...checkpoint, walk: { ...walk, first, last } }
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

function namedHeaders({ header, path, total, count, more, last }: IngestOf<'rest_api'>['paginate']) {
  const inPaths = [path, total, count, more, last].flatMap(each => (each && headerOf(each)) ?? [])
  return header === undefined ? inPaths : [header.toLowerCase(), ...inPaths]
}

// ---------------------------------------------------------------- as plain JSON

interface PlainPage extends Omit<PageSeen, 'request' | 'url'> {
  readonly request: Omit<PageRequest, 'url'> & { readonly url: string }
  readonly url: string
}

interface PlainCheckpoint extends Omit<Checkpoint, 'walk' | 'place'> {
  readonly place?: RecordPlace | null | undefined
  readonly walk: Omit<WalkState, 'first' | 'last'> & { readonly first: PlainPage; readonly last: PlainPage }
}

/**
 * Keeps only the headers that speak of pages, because others may contain a session.
 */
function plainPage(page: PageSeen, isKept: (name: string) => boolean): PlainPage {
  const { request, url } = page
  const headers = Object.fromEntries(Object.entries(page.headers).filter(([name]) => isKept(name)))
  return { ...page, request: { ...request, url: request.url.href }, url: url.href, headers }
}

function readPlain({ walk, place, ...rest }: PlainCheckpoint): Checkpoint | undefined {
  const first = readPage(walk.first)
  const last = readPage(walk.last)
  if (first === undefined || last === undefined) return undefined
  return { ...rest, place: place ?? undefined, walk: { ...walk, first, last } }
}

function readPage(page: PlainPage): PageSeen | undefined {
  const { request } = page
  const [asked, url] = [parseUrl(request.url), parseUrl(page.url)]
  if (asked === undefined || url === undefined) return undefined
  // An older svc has written null where there is no body.
  return { ...page, url, request: { ...request, url: asked, body: request.body ?? undefined } }
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
