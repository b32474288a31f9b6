/**
 * Fetches from an HTTP API that responds with JSON. Pages are fetched concurrently if possible, split into
 * records in order and spooled; memory holds only the pages in flight.
 */
import { dirname } from 'node:path'
import { withLocalReader } from '@svc/server/catalog'
import { createPageLog, newShape, type RawTable, recordType } from '@svc/server/language'
import { messageOf, SvcError } from '../../errors.ts'
import { finishFetch } from '../finish-fetch.ts'
import { type CursorWindow, cursorStart } from '../incremental/cursor-text.ts'
import { nothingNew } from '../incremental/nothing-new.ts'
import { clearSpool, keptUntil } from '../progress-file.ts'
import { jsonSource } from '../record-source.ts'
import { warnOfRepaired } from '../repaired.ts'
import {
  type DetectedPages,
  type FetchContext,
  type FetchedSource,
  type IngestOf,
  keptInVain,
  type Source,
  tellAtFirst,
} from '../source.ts'
import { Spool } from '../spool.ts'
import { type Carrier, createCarrier } from './carry.ts'
import { type Checkpoint, type CheckpointFile, checkpointFile } from './checkpoint.ts'
import { usualPause } from './host-pace.ts'
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type PageResponse,
} from './http-client.ts'
import { createKeeper, goingOn, hintOfKept, type ResumePoint, resumePoint } from './keep-pages.ts'
import { createPageOrder } from './page-order.ts'
import type { Paginate } from './paginate.ts'
import { namedMembers } from './paging/named-members.ts'
import { pageWarnings } from './paging/page-warnings.ts'
import { createPageReader, type PageReader } from './read-page.ts'
import { type RequestTemplate, requestTemplate, templateFor } from './request-template.ts'
import { isRefusal } from './request-words.ts'
import { type Backoff, usualBackoff } from './retry.ts'
import { type Asked, answersDefinition, askForChanges, recordAnswers } from './unchanged-answers.ts'
import { verifyKept } from './verify-kept.ts'
import { Walk, type WalkOptions } from './walk-pages.ts'
import { type TurnsWalk, walkTurns } from './walk-turns.ts'
import { type Windows, windowsOf } from './windows.ts'

type RestIngest = IngestOf<'rest_api'>

export interface RestOptions {
  readonly backoff: Backoff
  /** The longest pause that a server may ask for before the request counts as failed. */
  readonly maxPauseMs: number
}

export const usualRest: RestOptions = {
  backoff: usualBackoff,
  maxPauseMs: usualPause.maxPauseMs,
}

export function restSource(ingest: RestIngest, options: RestOptions = usualRest): Source {
  return {
    resumes: true,
    fetch: context => fetchPages(ingest, context, options, Number.POSITIVE_INFINITY),
    sample: context => {
      const limits = { ...ingest.limits, retries: Math.min(1, ingest.limits.retries) }
      const onePage = { ...ingest, limits, paginate: { ...ingest.paginate, maxPages: 1 } }
      return fetchPages(onePage, context, options, Number.POSITIVE_INFINITY)
    },
    async peek(context) {
      // A peek must not wait long, and must not use pages of an earlier fetch.
      const { timeoutMs, retries } = ingest.limits
      const limits = {
        ...ingest.limits,
        timeoutMs: Math.min(timeoutMs, 10_000),
        retries: Math.min(retries, 1),
      }
      const fresh = { ...context, previous: undefined, known: context.known ?? context.previous }
      const fetched = await fetchPages({ ...ingest, limits }, fresh, options, 1)
      return fetched.delivered.map((table): RawTable => ({ ...table, complete: false }))
    },
  }
}

/**
 * Fetches all pages. Where the kept pages of an interrupted fetch are no longer those of the source, or the
 * server does not know its page token any more, the fetch starts over once.
 */
async function fetchPages(
  ingest: RestIngest,
  context: FetchContext,
  options: RestOptions,
  pageLimit: number,
): Promise<FetchedSource> {
  refuseUnknownRows(ingest, context)
  const windows = pageLimit === 1 ? undefined : windowsFor(ingest, context)
  const template = requestTemplate(ingest, context, windows?.all[0] ?? wholeWindow(ingest, context))
  const fetch = { ingest, context, options, template, pageLimit, windows }
  if (pageLimit === 1) return fetchFrom(fetch, undefined)
  const file = checkpointFile(ingest, template, context, windows?.until)
  let point = await resumePoint(file, ingest, context)
  if (point === undefined) return fetchUnlessSame(fetch, file)
  try {
    const verified = await stillThere(point, fetch)
    point = verified ?? point
    if (verified !== undefined) return await fetchFrom(fetch, file, verified)
    keptInVain(context, 'the source has changed since its pages were kept: starting over from the first page')
  } catch (error) {
    if (!isRefusedAtOnce(error, point)) throw error
    keptInVain(context, `${messageOf(error)}: starting over from the first page`)
  }
  await clearSpool(context.spoolFolder)
  return fetchFrom(fetch, file)
}

function windowsFor(ingest: RestIngest, context: FetchContext): Windows | undefined {
  const now = context.now()
  return windowsOf(ingest, context, keptUntil(context.spoolFolder, now) ?? now.toISOString())
}

/** What a look at a source asks for, which is to see records: everything up to now. */
function wholeWindow(ingest: RestIngest, context: FetchContext): CursorWindow | undefined {
  const { incremental } = ingest
  const from = incremental?.window === undefined ? undefined : cursorStart(incremental, context)
  return from === undefined ? undefined : { from, to: context.now().toISOString() }
}

/** Fetches only if the answers are others than those that the live load was made of. */
async function fetchUnlessSame(fetch: PagesFetch, file: CheckpointFile): Promise<FetchedSource> {
  const { ingest, context, template } = fetch
  const { live } = context
  const isKnown = live?.answers.definition === answersDefinition(ingest, template, context)
  if (live === undefined || !isKnown) return fetchFrom(fetch, file)
  const client = askingClient(fetch)
  try {
    const asked = await askForChanges(live.answers, client, template).catch(error => otherAnswer(error))
    if (!asked.isSame) return await fetchFrom(fetch, file, undefined, asked.first)
    context.onAnswers?.(live.answers)
    return nothingNew(context, live, 0)
  } finally {
    await client.close()
  }
}

/** A page that is not there any more is another answer. */
function otherAnswer(error: unknown): Asked {
  if (isRefusal(error)) return { isSame: false, first: undefined }
  throw error
}

/** For what is asked before a fetch begins, and told with its first words. */
function askingClient({ ingest, context, options, template }: PagesFetch): HttpClient {
  const note = (text: string) => tellAtFirst(context, text)
  const shown = { ...discretion(ingest, context, template), note }
  return createHttpClient({ ...options, ingest, template, context, ...shown })
}

/** Returns the point to go on from; undefined if the source is another one now. */
async function stillThere(resumed: ResumePoint, fetch: PagesFetch) {
  const { ingest, context, template } = fetch
  const { checkpoint } = resumed
  // Nothing is fetched after the last page, so that nothing can fit badly.
  if (checkpoint.walk.done) return resumed
  const client = askingClient(fetch)
  try {
    const walk = await verifyKept(resumed, { ingest, client, template })
    if (walk === undefined) return undefined
    tellAtFirst(context, goingOn(checkpoint.pages))
    return { ...resumed, checkpoint: { ...checkpoint, walk } }
  } catch (error) {
    resumed.refused = true
    throw hintOfKept(error, checkpoint.pages)
  } finally {
    await client.close()
  }
}

interface PagesFetch {
  readonly ingest: RestIngest
  readonly context: FetchContext
  readonly options: RestOptions
  readonly template: RequestTemplate
  readonly pageLimit: number
  readonly windows: Windows | undefined
}

async function fetchFrom(
  { ingest, context, options, template, pageLimit, windows }: PagesFetch,
  file: CheckpointFile | undefined,
  resumed?: ResumePoint,
  first?: PageResponse,
): Promise<FetchedSource> {
  const spool = new Spool(context.spoolFolder, resumed?.spool)
  const shape = resumed?.shape ?? newShape()
  const pageLog = createPageLog(shape, resumed?.checkpoint.pageLog)
  const progress = createProgress(context, () => spool.records, resumed?.checkpoint)
  const connecting = { ...options, ingest, template, context, ...discretion(ingest, context, template) }
  const client = createHttpClient({ ...connecting, note: progress.note })
  const place = resumed?.checkpoint.place
  const carrier = createCarrier(ingest, { shape, spool })
  const order = createPageOrder(ingest, context)
  const reading = { ingest, shape, pages: pageLog, spool, client, template, place, carrier, order }
  const reader = createPageReader({ ...reading, shownAs: connecting.shownAs })
  const warnings = pageWarnings(resumed?.checkpoint.warnings)
  const keeping = { spool, reader, pageLog, progress, warnings, from: resumed?.checkpoint }
  const keeper = file === undefined ? undefined : createKeeper(file, keeping)
  const limit = Math.min(pageLimit, ingest.paginate.maxPages ?? Number.POSITIVE_INFINITY)
  const named = namedMembers(ingest.paginate)
  const recorder = recordAnswers(startingWith(first, client), ingest, template)
  const peeking = pageLimit === 1
  const judging = { warnings, named, known: { way: undefined }, onDetected: whenDetected(context, reader) }
  const walk = { ingest, template, client: recorder.client, reader, progress, limit, peeking, ...judging }
  try {
    const onPage = keeper?.page ?? (() => {})
    await walkAll(walk, { context, carrier, windows, from: resumed?.checkpoint, onPage })
    if (!peeking) named.refuseMissing(ingest.paginate)
    keeper?.finish()
    const spooled = spool.finish()
    if (!peeking) warnings.tell(context)
    warnOfRepaired(context, spool.repaired)
    const { pages, bytes } = progress
    const source = jsonSource(spooled, recordType(shape))
    const pageChanges = pageLog.changes()
    const { hash: loadId, records: rows } = spooled
    const asksForNoMore = true as const
    const records = { source, shape, loadId, rows, bytes, pages, pageChanges, asksForNoMore }
    const { spoolFolder, signal } = context
    const fetched = await withLocalReader({ temporaryFolder: dirname(spoolFolder), signal }, local =>
      finishFetch({ context, ingest, local }, records),
    )
    // What is asked for each row of an asset, and in windows, is another list of requests each time.
    const isOnce = context.parents === undefined && windows === undefined && !peeking
    const definition = answersDefinition(ingest, template, context)
    if (isOnce) context.onAnswers?.(await recorder.answers(definition, pages))
    return fetched
  } catch (error) {
    const told = keeper === undefined ? error : keeper.give(error)
    spool.close()
    if (resumed !== undefined && keeper?.pages === 0) resumed.refused = true
    throw told
  } finally {
    await client.close()
  }
}

/** Only who writes down what the first page has shown is told. */
function whenDetected({ onDetected }: FetchContext, reader: PageReader): WalkOptions['onDetected'] {
  if (onDetected === undefined) return undefined
  return (paginate, more) =>
    onDetected({
      records: recordsPath(reader),
      paginate: stated(paginate),
      ...(more !== undefined && { more: more.said, loaded: more.loaded }),
    })
}

/** The first page is not asked for a second time. */
function startingWith(first: PageResponse | undefined, client: HttpClient): HttpClient {
  let known = first
  const send: HttpClient['send'] = request => {
    const response = request.number === 1 ? known : undefined
    known = undefined
    return response === undefined ? client.send(request) : Promise.resolve({ ...response, request })
  }
  return first === undefined ? client : { ...client, send }
}

interface Walking extends Pick<TurnsWalk, 'onPage'>, Pick<PagesFetch, 'context' | 'windows'> {
  readonly carrier: Carrier | undefined
  readonly from: Checkpoint | undefined
}

async function walkAll(
  walk: Omit<WalkOptions, 'from' | 'onPage'>,
  { from, onPage, ...fetch }: Walking,
): Promise<void> {
  const turns = turnsOf(walk, fetch)
  if (turns === undefined)
    return new Walk({ ...walk, from: from?.walk, onPage: state => onPage(state, 0) }).run()
  const position = from === undefined ? undefined : { walk: from.walk, turnsBefore: from.turnsBefore ?? 0 }
  await walkTurns({ ...walk, ...turns, from: position, onPage })
}

/** Returns the requests that are made one after the other; undefined where there is one list of pages. */
function turnsOf(
  { ingest, template, peeking }: Omit<WalkOptions, 'from' | 'onPage'>,
  { context, carrier, windows }: Omit<Walking, 'from' | 'onPage'>,
): Pick<TurnsWalk, 'turns' | 'tooMany'> | undefined {
  const { parents } = context
  if (windows !== undefined) {
    const turns = windows.all.map(window => ({
      template: () => templateFor({ window }, template, ingest, context),
    }))
    return { turns, tooMany: pages => tooManyPages('http-body', 'the windows of incremental', pages) }
  }
  if (parents === undefined) return undefined
  // A look at a source needs no more than its first row.
  const rows = peeking ? parents.rows.slice(0, 1) : parents.rows
  const turns = rows.map(row => ({
    template: () => templateFor({ row }, template, ingest, context),
    begin: () => carrier?.of(row),
  }))
  const what = `the rows of "${ingest.forEach?.asset}"`
  return { turns, tooMany: pages => tooManyPages('for-each-rows', what, pages) }
}

function tooManyPages(code: 'http-body' | 'for-each-rows', what: string, pages: number): SvcError {
  return new SvcError(code, `${what} have more than ${pages} pages (limits.pages)`, {
    hint: 'Ask for fewer records, or raise the limit in ingest.limits.',
  })
}

/**
 * Pages and cursors are asked for by values of records. Of a source with personal ones the address is shown as the file has it, and
 * of what the service says only what it says against a request that is written in the file.
 */
function discretion(
  ingest: RestIngest,
  { parents, personal, base }: FetchContext,
  { url }: RequestTemplate,
): Pick<HttpClientOptions, 'shownAs' | 'tellsFirst'> {
  if (parents?.isPersonal === true) return { shownAs: url }
  if (!personal.any) return {}
  if (ingest.incremental === undefined || base?.since === undefined) return { shownAs: url, tellsFirst: true }
  const shown = new URL(url)
  shown.search = ''
  return { shownAs: shown }
}

/** What is asked for each row of an asset can only be asked for where the asset is built. */
function refuseUnknownRows({ forEach }: RestIngest, { asset, parents }: FetchContext): void {
  if (forEach === undefined || parents !== undefined) return
  throw new SvcError(
    'parent-not-built',
    `the source is asked for each row of "${forEach.asset}", which only a run has at hand`,
    { hint: svc => `${svc(`run +${asset.name}`)} builds that asset first.` },
  )
}

function recordsPath({ place }: PageReader): string | undefined {
  return place?.kind === 'path' && place.path.length > 0 ? place.path.join('.') : undefined
}

/** Returns the keys of a way as they are written in a file, without what goes without saying. */
function stated({ type = 'none', in: place, ...way }: Partial<Paginate>): DetectedPages['paginate'] {
  const { path, header, key, param, start, total, count, more, last } = way
  const sent = place === 'query' ? undefined : place
  return JSON.parse(
    JSON.stringify({ type, path, header, key, param, in: sent, total, count, more, last, start }),
  )
}

/**
 * Returns whether the server rejected the first request after resuming, so that every later run would fail in
 * the same way and the fetch has to start over.
 */
function isRefusedAtOnce(error: unknown, { refused }: ResumePoint): boolean {
  if (!(error instanceof SvcError) || !refused) return false
  return error.code === 'host-not-allowed' || error.code === 'http-body' || isRefusal(error)
}

export interface Progress {
  page(bytes: number): void
  note(text: string): void
  readonly pages: number
  readonly bytes: number
}

function createProgress(context: FetchContext, rows: () => number, before?: Checkpoint): Progress {
  let pages = before?.pages ?? 0
  let bytes = before?.bytes ?? 0
  const report = (note?: string) =>
    context.onProgress({ rows: rows(), bytes, pages, ...(note === undefined ? {} : { note }) })
  return {
    page(more) {
      pages++
      bytes += more
      report()
    },
    note: report,
    get pages() {
      return pages
    },
    get bytes() {
      return bytes
    },
  }
}
