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
import type { HttpClient, PageRequest, PageResponse } from './http-client.ts'
import { createPaginator, type NextPages, type PageSeen, type Paginate, type Paginator } from './paginate.ts'
import { isBehindAll, type MoreSaid, moreSaid } from './paging/compare-claims.ts'
import { findWay, keyOf } from './paging/find-way.ts'
import type { NamedMembers } from './paging/named-members.ts'
import type { PageWarnings } from './paging/page-warnings.ts'
import type { Way } from './paging/shapes.ts'
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
  /** Gets what there is to warn of when all pages have come. */
  readonly warnings: PageWarnings
  /** Judges what `paginate` names by the pages. */
  readonly named: NamedMembers
  /** The way that one list of pages has shown, for all others of the source. */
  readonly known: KnownWay
  /** Called after each page whose records are in the spool. */
  readonly onPage: (state: WalkState) => void
  /** Called when the first page has shown how the API pages, with what it says of more if no way leads on. */
  readonly onDetected?: ((paginate: Partial<Paginate>, more: MoreSaid | undefined) => void) | undefined
}

export interface KnownWay {
  way: Way | undefined
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
  private last: PageSeen | undefined
  private total = 0
  /** How this list is paged, once that is known. */
  private way: Way | undefined
  /** The second page, where it was asked for to find out how the API pages. */
  private second: PageResponse | undefined

  constructor(options: WalkOptions) {
    this.options = options
  }

  async run(): Promise<void> {
    const { ingest, template, from } = this.options
    this.options.reader.begin()
    let paginator = createPaginator(this.options.ingest.paginate, false)
    if (from === undefined) this.expect({ requests: [paginator.first(firstRequest(template))] })
    else paginator = this.goOnFrom(from)
    if (from?.done === true) return
    let isEnded = false
    try {
      for (let next = this.take(); next !== undefined && !isEnded; next = isEnded ? undefined : this.take()) {
        const response = await next
        const { seen, hash, isEnd: isLast } = await this.read(response)
        this.start ??= { first: seen, firstHash: hash }
        if (seen.request.number === 1) paginator = await this.paginatorFor(seen, hash)
        const way = ingest.paginate.type === 'auto' ? this.way : undefined
        const state = { ...this.start, last: seen, lastHash: hash, ...(way !== undefined && { way }) }
        isEnded = isLast || response.action === 'end' || this.options.reader.full
        this.options.onPage({ ...state, done: isEnded })
        if (!isEnded && !isBehindAll(seen)) this.expect(paginator.after(seen))
      }
    } finally {
      // Requests still in flight end with the client; their errors can be ignored.
      for (const rest of this.onTheWay) rest.catch(() => undefined)
    }
    if (!isEnded) this.judgeEnd()
  }

  /** Says what was left, if pages were. */
  private judgeEnd(): void {
    const { limit, peeking, warnings } = this.options
    if (peeking) return
    if (this.sent >= limit && this.upcoming.next().done !== true) {
      warnings.cut(limit)
      return
    }
    const more = this.moreSaid()
    if (more !== undefined) warnings.more(more)
  }

  private moreSaid(): MoreSaid | undefined {
    const { start, last, way } = this
    const { paginate } = this.options.ingest
    if (start === undefined || last === undefined || this.options.ingest.paginate.claims === 'ignore')
      return undefined
    const isOpen = paginate.type === 'auto' && way?.type === 'none'
    return moreSaid({ named: { ...paginate, ...way }, isOpen, first: start.first, last, loaded: this.total })
  }

  /** Returns how to go on behind the first page, which shows it where nobody has said it. */
  private async paginatorFor(first: PageSeen, hash: string): Promise<Paginator> {
    const { ingest, peeking, named, onDetected } = this.options
    const { paginate, limits } = ingest
    if (paginate.type === 'auto' && !peeking) this.way = await this.wayFrom(first, hash)
    const effective = this.way === undefined ? paginate : { ...paginate, ...this.way }
    if (!peeking) named.refuseAfter(first)
    onDetected?.(effective, effective.type === 'none' ? this.moreSaid() : undefined)
    return createPaginator(effective, limits.concurrency > 1)
  }

  private async wayFrom(first: PageSeen, hash: string): Promise<Way> {
    const { ingest, client, reader, known, limit, onDetected } = this.options
    if (known.way !== undefined) return known.way
    // Who wants one page needs no other.
    if (limit === 1 && onDetected === undefined) return { type: 'none' }
    const { way, second } = await findWay(first, hash, { paginate: ingest.paginate, client, reader })
    this.second = second
    if (way.type !== 'none') known.way = way
    return way
  }

  /** Restores the state as if all pages up to the last one had just been read. */
  private goOnFrom({ first, firstHash, last, lastHash, way }: WalkState): Paginator {
    const { paginate, limits } = this.options.ingest
    const paginator = createPaginator({ ...paginate, ...way }, limits.concurrency > 1)
    this.way = way
    this.options.known.way ??= way
    this.start = { first, firstHash }
    this.last = last
    this.total = last.before + last.records
    this.sent = last.request.number
    this.options.named.see(first)
    this.options.named.see(last)
    if (lastHash !== '') this.previousPage = { records: last.records, hash: lastHash }
    this.expect(paginator.after(first))
    if (last.request.number === 1) return paginator
    this.upcoming = behind(last.request.number, this.upcoming)
    this.expect(paginator.after(last))
    return paginator
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
      const response = this.known(next.value) ?? client.send(next.value)
      // A failure is reported when the page is read, not before.
      response.catch(() => undefined)
      this.onTheWay.push(response)
    }
    return this.onTheWay.shift()
  }

  /** The second page is not asked for twice. */
  private known(request: PageRequest): Promise<PageResponse> | undefined {
    const { second } = this
    if (second === undefined || keyOf(second.request) !== keyOf(request)) return undefined
    this.second = undefined
    return Promise.resolve({ ...second, request })
  }

  private expect(next: NextPages): void {
    this.counted ??= next.counted
    const iterator = next.requests[Symbol.iterator]()
    const first = iterator.next()
    if (first.done === true) return
    this.upcoming = prepend(first.value, iterator)
  }

  private refuseLoop(request: PageRequest): void {
    const key = keyOf(request)
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
  ): Promise<{ readonly seen: PageSeen; readonly hash: string; readonly isEnd: boolean }> {
    const { reader, progress, warnings, named, client } = this.options
    const { request } = response
    if (response.action === 'skip') warnings.skipped(response, client.show(request.url))
    const page = response.body === undefined ? undefined : await reader.read(response)
    progress.page(page?.bytes ?? 0)
    const records = page?.records ?? 0
    const type = this.way?.type ?? this.options.ingest.paginate.type
    if (page !== undefined && (type === 'page' || type === 'offset' || request.number === 1))
      this.refuseRepetition(request, page)
    if (page !== undefined) this.refuseShortPage(request, records)
    const before = this.total
    this.total += records
    const seen = pageSeen(response, page, before)
    this.last = seen
    named.see(seen)
    return { seen, hash: page?.hash ?? '', isEnd: page?.isEnd === true }
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
}

export function firstRequest({ url, body }: RequestTemplate): PageRequest {
  return { url, body: body === undefined ? undefined : JSON.stringify(body), number: 1 }
}

export function pageSeen(
  { request, url, status, headers }: PageResponse,
  page: PageRead | undefined,
  before: number,
): PageSeen {
  const { envelope, recordsAt, isOne, lastKey, records = 0 } = page ?? {}
  return {
    ...{ request, url, status, headers, envelope, recordsAt, records, before },
    ...(isOne === true && { isOne }),
    ...(lastKey !== undefined && { lastKey }),
  }
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
