/**
 * Walks over the pages of a source: independent pages are requested concurrently and read in order. It
 * refuses what cannot be right: loops, repeated pages, pages that are too short. It can start after the pages
 * that an earlier process has read.
 */
import type { SourceLimits } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import type { IngestOf } from '../source.ts'
import { shownSize } from './body.ts'
import type { WalkState } from './checkpoint.ts'
import { claimedTotal } from './detect-pagination.ts'
import type { HttpClient, PageRequest, PageResponse } from './http-client.ts'
import { createPaginator, type NextPages, type PageSeen, type Paginate, type Paginator } from './paginate.ts'
import type { PageRead, PageReader } from './read-page.ts'
import type { RequestTemplate } from './request-template.ts'
import type { Progress } from './rest-source.ts'

type RestIngest = IngestOf<'rest_api'>

export interface WalkOptions {
  readonly ingest: RestIngest
  readonly template: RequestTemplate
  readonly client: HttpClient
  readonly reader: PageReader
  readonly progress: Progress
  readonly limit: number
  readonly peeking: boolean
  /** The position of an earlier process. */
  readonly from: WalkState | undefined
  /** Called after each page whose records are in the spool. */
  readonly onPage: (state: WalkState) => void
  /** Called when the first page has shown how the API pages. */
  readonly onDetected?: (paginate: Partial<Paginate>) => void
}

/** Walks over pages, and reads them in order while the next ones are being fetched. */
export class Walk {
  private readonly options: WalkOptions
  private readonly asked = new Set<string>()
  private readonly onTheWay: Promise<PageResponse>[] = []
  private upcoming: Iterator<PageRequest> = [][Symbol.iterator]()
  private sent = 0
  private counted: NextPages['counted']
  private previousPage: { readonly records: number; readonly hash: string } | undefined
  private start: Pick<WalkState, 'first' | 'firstHash'> | undefined
  private total = 0

  constructor(options: WalkOptions) {
    this.options = options
  }

  async run(): Promise<void> {
    const { ingest, template, from } = this.options
    const paginator = createPaginator(ingest.paginate, ingest.limits.concurrency > 1)
    this.options.reader.begin()
    if (from === undefined) this.expect({ requests: [paginator.first(firstRequest(template))] })
    else this.goOnFrom(from, paginator)
    if (from?.done === true) return
    try {
      for (let next = this.take(); next !== undefined; next = this.take()) {
        const response = await next
        const { seen, hash, isEnd: isLast } = await this.read(response, paginator)
        this.start ??= { first: seen, firstHash: hash }
        const state = { ...this.start, last: seen, lastHash: hash }
        const isEnd = isLast || response.action === 'end' || this.options.reader.full
        this.options.onPage({ ...state, done: isEnd })
        if (isEnd) return
        this.expect(paginator.after(seen))
        if (seen.request.number !== 1) continue
        this.warnOfOnePage(seen, paginator.type)
        this.options.onDetected?.(paginator.detected ?? ingest.paginate)
      }
    } finally {
      // Requests still in flight end with the client; their errors can be ignored.
      for (const rest of this.onTheWay) rest.catch(() => undefined)
    }
    if (this.sent >= this.options.limit && !this.options.peeking && this.upcoming.next().done !== true) {
      this.options.progress.note(
        `stopped after ${this.options.limit} pages, as paginate.max_pages says; there are more`,
      )
    }
  }

  /** Restores the state as if all pages up to the last one had just been read. */
  private goOnFrom({ first, firstHash, last, lastHash }: WalkState, paginator: Paginator): void {
    this.start = { first, firstHash }
    this.total = last.before + last.records
    this.sent = last.request.number
    if (lastHash !== '') this.previousPage = { records: last.records, hash: lastHash }
    this.expect(paginator.after(first))
    if (last.request.number === 1) return
    this.upcoming = behind(last.request.number, this.upcoming)
    this.expect(paginator.after(last))
  }

  /** Returns the next page to read, and requests as many pages after it as `limits.concurrency` allows. */
  private take(): Promise<PageResponse> | undefined {
    const { client, limit, ingest } = this.options
    while (this.onTheWay.length < ingest.limits.concurrency && this.sent < limit) {
      const next = this.upcoming.next()
      if (next.done === true) break
      this.refuseLoop(next.value)
      this.refuseEndless(next.value, ingest.limits)
      this.sent++
      const response = client.send(next.value)
      // A failure is reported when the page is read, not before.
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

  private refuseEndless({ number }: PageRequest, { pages, totalBytes }: SourceLimits): void {
    const { bytes } = this.options.progress
    if (number <= pages && bytes <= totalBytes) return
    throw new SvcError(
      'http-body',
      number > pages
        ? `there are more than ${pages} pages (limits.pages)`
        : `its ${number - 1} pages are larger than ${shownSize(totalBytes)} together (limits.total)`,
      { hint: 'Check ingest.paginate; if the source is that large, raise the limit in ingest.limits.' },
    )
  }

  private async read(
    response: PageResponse,
    paginator: Paginator,
  ): Promise<{ readonly seen: PageSeen; readonly hash: string; readonly isEnd: boolean }> {
    const { reader, progress } = this.options
    const { request } = response
    const page = response.body === undefined ? undefined : await reader.read(response)
    progress.page(page?.bytes ?? 0)
    const records = page?.records ?? 0
    const isNumbered = paginator.type === 'page' || paginator.type === 'offset'
    if (page !== undefined && isNumbered) this.refuseRepetition(request, page)
    if (page !== undefined) this.refuseShortPage(request, records)
    const before = this.total
    this.total += records
    return { seen: pageSeen(response, page, before), hash: page?.hash ?? '', isEnd: page?.isEnd === true }
  }

  /**
   * Throws if a page repeats the one before: a server that does not know the page parameter always responds
   * with its first page.
   */
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
      `page ${request.number} holds ${records} records where ${counted.records} were due: the pages after it would not fit`,
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

export function firstRequest({ url, body }: RequestTemplate): PageRequest {
  return { url, body: body === undefined ? undefined : JSON.stringify(body), number: 1 }
}

export function pageSeen(
  { request, url, headers }: PageResponse,
  page: PageRead | undefined,
  before: number,
): PageSeen {
  const seen = { request, url, headers, envelope: page?.envelope, records: page?.records ?? 0, before }
  return page?.lastKey === undefined ? seen : { ...seen, lastKey: page.lastKey }
}

function* prepend<T>(first: T, rest: Iterator<T>): Generator<T> {
  yield first
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value
}

/** Yields the requests after the page `number`. */
function* behind(number: number, requests: Iterator<PageRequest>): Generator<PageRequest> {
  for (let next = requests.next(); next.done !== true; next = requests.next()) {
    if (next.value.number > number) yield next.value
  }
}
