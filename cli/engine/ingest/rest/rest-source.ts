/**
 * An HTTP API that answers with JSON. Pages are fetched several at a time where that is possible, cut into records in
 * order and spooled; memory holds no more than the pages in flight.
 */
import { openLocalDuckDb } from '@svc/server/catalog'
import { newShape, type RawTable, recordType } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { finishFetch } from '../finish-fetch.ts'
import { jsonSource } from '../record-source.ts'
import type { FetchContext, FetchedSource, IngestOf, Source } from '../source.ts'
import { createSpool } from '../spool.ts'
import { claimedTotal } from './detect-pagination.ts'
import { createHttpClient, type HttpClient, type PageRequest, type PageResponse } from './http-client.ts'
import { createPaginator, type NextPages, type PageSeen, type Paginator } from './paginate.ts'
import { createPageReader, type PageReader } from './read-page.ts'
import { type RequestTemplate, requestTemplate } from './request-template.ts'
import type { Backoff } from './retry.ts'

type RestIngest = IngestOf<'rest_api'>

export interface RestOptions {
  readonly backoff: Backoff
  /** Longest pause that a server may ask for before the request counts as failed. */
  readonly maxPauseMs: number
}

const usual: RestOptions = {
  backoff: { baseMs: 500, capMs: 30_000, random: Math.random },
  maxPauseMs: 15 * 60_000,
}

export function restSource(ingest: RestIngest, options: RestOptions = usual): Source {
  return {
    fetch: context => fetchPages(ingest, context, options, Number.POSITIVE_INFINITY),
    async peek(context) {
      // A look must not wait long, nor see what was there before.
      const { timeoutMs, retries } = ingest.limits
      const limits = {
        ...ingest.limits,
        timeoutMs: Math.min(timeoutMs, 10_000),
        retries: Math.min(retries, 1),
      }
      const fresh = { ...context, previous: undefined }
      const fetched = await fetchPages({ ...ingest, limits }, fresh, options, 1)
      return fetched.tables.map((table): RawTable => ({ ...table.shape, complete: false }))
    },
  }
}

async function fetchPages(
  ingest: RestIngest,
  context: FetchContext,
  options: RestOptions,
  pageLimit: number,
): Promise<FetchedSource> {
  const template = requestTemplate(ingest, context)
  const spool = createSpool(context.spoolFolder)
  const shape = newShape()
  const progress = createProgress(context, () => spool.records)
  const client = createHttpClient({ ...options, ingest, template, context, note: progress.note })
  const reader = createPageReader({ ingest, shape, spool, client, template })
  try {
    const limit = Math.min(pageLimit, ingest.paginate.maxPages ?? Number.POSITIVE_INFINITY)
    await new Walk({ ingest, template, client, reader, progress, limit, peeking: pageLimit === 1 }).run()
    const spooled = spool.finish()
    if (spool.repaired > 0) progress.note(`half characters in ${spool.repaired} records were replaced`)
    const { pages, bytes } = progress
    const source = jsonSource(spooled, recordType(shape))
    const records = { source, shape, loadId: spooled.hash, rows: spooled.records, bytes, pages }
    return await finishInDuckDb(ingest, context, records)
  } catch (error) {
    spool.abandon()
    throw error
  } finally {
    await client.close()
  }
}

async function finishInDuckDb(
  ingest: RestIngest,
  context: FetchContext,
  records: Parameters<typeof finishFetch>[2],
): Promise<FetchedSource> {
  const duckdb = await openLocalDuckDb({ temporaryFolder: context.spoolFolder, signal: context.signal })
  try {
    return await finishFetch(context, ingest, records, duckdb)
  } finally {
    duckdb.close()
  }
}

interface Progress {
  page(bytes: number): void
  note(text: string): void
  readonly pages: number
  readonly bytes: number
}

function createProgress(context: FetchContext, rows: () => number): Progress {
  let pages = 0
  let bytes = 0
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

interface WalkOptions {
  readonly ingest: RestIngest
  readonly template: RequestTemplate
  readonly client: HttpClient
  readonly reader: PageReader
  readonly progress: Progress
  readonly limit: number
  readonly peeking: boolean
}

/** Goes from page to page, reading them in order while the next ones are on their way. */
class Walk {
  private readonly options: WalkOptions
  private readonly asked = new Set<string>()
  private readonly onTheWay: Promise<PageResponse>[] = []
  private upcoming: Iterator<PageRequest> = [][Symbol.iterator]()
  private sent = 0
  private counted: NextPages['counted']
  private previousPage: { readonly records: number; readonly hash: string } | undefined

  constructor(options: WalkOptions) {
    this.options = options
  }

  async run(): Promise<void> {
    const { ingest, template } = this.options
    const paginator = createPaginator(ingest.paginate, ingest.limits.concurrency > 1)
    const body = template.body === undefined ? undefined : JSON.stringify(template.body)
    this.expect({ requests: [paginator.first({ url: template.url, body, number: 1 })] })
    try {
      for (let next = this.take(); next !== undefined; next = this.take()) {
        const response = await next
        const seen = await this.read(response, paginator)
        if (response.action === 'end' || this.options.reader.full) return
        const after = paginator.after(seen)
        this.expect(after)
        if (seen.request.number === 1) this.warnOfOnePage(seen, paginator.type)
      }
    } finally {
      // What is still on its way ends with the client; nobody waits for it.
      for (const rest of this.onTheWay) rest.catch(() => undefined)
    }
    if (this.sent >= this.options.limit && !this.options.peeking && this.upcoming.next().done !== true) {
      this.options.progress.note(
        `stopped after ${this.options.limit} pages, as paginate.max_pages says; there are more`,
      )
    }
  }

  /** The next page to read, with as many behind it on their way as `limits.concurrency` allows. */
  private take(): Promise<PageResponse> | undefined {
    const { client, limit, ingest } = this.options
    while (this.onTheWay.length < ingest.limits.concurrency && this.sent < limit) {
      const next = this.upcoming.next()
      if (next.done === true) break
      this.refuseLoop(next.value)
      this.sent++
      const response = client.send(next.value)
      // Its failure is told when its turn comes.
      response.catch(() => undefined)
      this.onTheWay.push(response)
    }
    return this.onTheWay.shift()
  }

  private expect(next: NextPages): void {
    this.counted ??= next.counted
    const iterator = next.requests[Symbol.iterator]()
    const first = iterator.next()
    if (first.done === true) return
    this.upcoming = prepend(first.value, iterator)
  }

  private refuseLoop(request: PageRequest): void {
    const key = `${request.url.href}\n${request.body ?? ''}`
    if (this.asked.has(key)) {
      throw new SvcError(
        'http-body',
        `page ${request.number} is a page that was already fetched (${this.options.client.show(request.url)})`,
        { hint: 'The server names the same next page again: check ingest.paginate.' },
      )
    }
    this.asked.add(key)
  }

  private async read(response: PageResponse, paginator: Paginator): Promise<PageSeen> {
    const { reader, progress } = this.options
    const { request, url, headers } = response
    const page = response.body === undefined ? undefined : await reader.read(response)
    progress.page(page?.bytes ?? 0)
    const records = page?.records ?? 0
    const isNumbered = paginator.type === 'page' || paginator.type === 'offset'
    if (page !== undefined && isNumbered) this.refuseRepetition(request, page)
    if (page !== undefined) this.refuseShortPage(request, records)
    return { request, url, headers, envelope: page?.envelope, records }
  }

  /** A server that does not know the page parameter answers every request with its first page. */
  private refuseRepetition(request: PageRequest, page: { records: number; hash: string }): void {
    const before = this.previousPage
    this.previousPage = page
    if (page.records === 0 || before === undefined || before.hash !== page.hash) return
    throw new SvcError(
      'http-body',
      `page ${request.number} holds the same records as the page before it (${this.options.client.show(request.url)})`,
      {
        hint: 'The server seems not to know the parameter that asks for a page: check ingest.paginate.param.',
      },
    )
  }

  private refuseShortPage(request: PageRequest, records: number): void {
    const { counted } = this
    if (counted === undefined || request.number >= counted.last || records === counted.records) return
    throw new SvcError(
      'http-body',
      `page ${request.number} holds ${records} records where ${counted.records} were due: the pages behind it would not fit`,
      { hint: 'Write limits: {concurrency: 1}; each offset is then counted from the pages before it.' },
    )
  }

  private warnOfOnePage(page: PageSeen, type: string): void {
    if (type !== 'none' || this.options.ingest.paginate.type !== 'auto') return
    const total = claimedTotal(page.envelope)
    if (total === undefined || total <= page.records) return
    this.options.progress.note(
      `the answer speaks of ${total} records and holds ${page.records}; if there are more pages, say how with ingest.paginate`,
    )
  }
}

function* prepend<T>(first: T, rest: Iterator<T>): Generator<T> {
  yield first
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value
}
