/**
 * The progress of a fetch, in `progress.json` beside its spool. It is written after pages, so that an
 * interrupted fetch can continue with the next page. It holds no secret. If anything in it is inconsistent,
 * the fetch starts over.
 */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordPlace, SavedPageLog } from '@svc/server/language'
import type { Secrets } from '../credentials.ts'
import type { FetchContext, IngestOf } from '../source.ts'
import type { SpoolState } from '../spool.ts'
import type { PageSeen } from './paginate.ts'
import { parseUrl } from './parse-url.ts'
import type { RequestTemplate } from './request-template.ts'

/** After this time the data of the server and its page tokens are likely to have changed. */
export const resumableMs = 6 * 3_600_000

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
  /** How many rows of the asset of `for_each` were asked for before the one that the walk is about. */
  readonly rowsBefore?: number
}

export type Found =
  | { readonly kind: 'nothing' }
  /** There is a checkpoint that cannot be used, for this reason. */
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }

/** Increase this when the content of the file changes. */
const version = 2

interface Saved {
  readonly version: typeof version
  readonly definition: string
  readonly savedAt: string
  readonly checkpoint: unknown
}

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
): CheckpointFile {
  const path = join(spoolFolder, 'progress.json')
  const definition = definitionOf(ingest, template, parents)
  return {
    read: () => readCheckpoint(path, definition, template.secrets, now()),
    save(checkpoint) {
      const plain = plainCheckpoint(checkpoint, ['link', ingest.paginate.header?.toLowerCase() ?? ''])
      const saved: Saved = {
        version,
        definition,
        savedAt: now().toISOString(),
        checkpoint: mapTexts(plain, template.secrets.seal),
      }
      const text = JSON.stringify(saved)
      if (text.length <= longestText) replaceFile(path, text)
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

function readCheckpoint(path: string, definition: string, secrets: Secrets, now: Date): Found {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return { kind: 'nothing' }
  }
  const saved = parseSaved(text)
  if (saved === undefined) return { kind: 'unusable', reason: 'its record of progress is cut off' }
  if (saved.definition !== definition) return { kind: 'unusable', reason: 'the request is another one now' }
  const ageMs = now.getTime() - Date.parse(saved.savedAt)
  if (!(ageMs < resumableMs)) return { kind: 'unusable', reason: 'it stopped more than 6 hours ago' }
  const checkpoint = readPlain(mapTexts(saved.checkpoint, secrets.unseal) as PlainCheckpoint)
  if (checkpoint === undefined) return { kind: 'unusable', reason: 'its record of progress is cut off' }
  return { kind: 'checkpoint', checkpoint }
}

export interface FetchRemains {
  /** Whether a later fetch can continue from it. */
  isUsable(now: Date): boolean
  /** Whether all pages have been fetched. */
  readonly isDone: boolean
}

/** Returns what remains of any fetch in a folder, whatever it requested. */
export function remainsOfFetch(folder: string): FetchRemains {
  let saved: Saved | undefined
  try {
    saved = parseSaved(readFileSync(join(folder, 'progress.json'), 'utf8'))
  } catch {
    // An unreadable file leaves nothing to continue from.
  }
  const walk = (saved?.checkpoint as PlainCheckpoint | undefined)?.walk
  return {
    isDone: walk?.done === true,
    isUsable: now => saved !== undefined && now.getTime() - Date.parse(saved.savedAt) < resumableMs,
  }
}

function parseSaved(text: string): Saved | undefined {
  try {
    const saved = JSON.parse(text) as Saved
    return saved.version === version ? saved : undefined
  } catch {
    return undefined
  }
}

/** Replaces a file atomically, so that a process that dies leaves the previous content. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.tmp`
  const file = openSync(draft, 'w', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
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
