/**
 * Pagination (decisions 1, `paginate`). A paginator reads a response and returns the requests that follow it.
 * Pure: it sends nothing. All its state comes from the first page, so to resume in the middle, pass it the
 * first page and then the last one that was read.
 */

import { SvcError } from '../../errors.ts'
import type { IngestOf } from '../source.ts'
import { detectPagination } from './detect-pagination.ts'
import type { Headers, PageRequest } from './http-client.ts'
import { nextLink } from './link-header.ts'
import { parseUrl } from './parse-url.ts'
import { numberAt, stepsOf, valueAt, withValue } from './value-at.ts'

export type Paginate = IngestOf<'rest_api'>['paginate']

export interface PageSeen {
  readonly request: PageRequest
  /** The address that responded. */
  readonly url: URL
  readonly headers: Headers
  /** The response without its records; undefined if there was none. */
  readonly envelope: unknown
  readonly records: number
  /** The value of `paginate.key` in the last record. */
  readonly lastKey?: unknown
  /** The number of records on all earlier pages. */
  readonly before: number
}

export interface NextPages {
  /** The requests in order. If there are several, they are independent and may be sent concurrently. */
  readonly requests: readonly PageRequest[] | Iterable<PageRequest>
  /**
   * Set if offsets were computed in advance: every page before `last` must have `records` records, or the
   * offsets are wrong.
   */
  readonly counted?: { readonly records: number; readonly last: number }
}

export interface Paginator {
  /** The declared or detected kind of pagination, for messages. */
  readonly type: Paginate['type']
  /** What the first page has shown, where that was asked. */
  readonly detected?: Partial<Paginate> | undefined
  first(request: PageRequest): PageRequest
  after(page: PageSeen): NextPages
  /**
   * Whether the position behind this page is a token that the API keeps, so that records which come and go
   * before it do not move it. A number may count pages or records.
   */
  isToken(page: PageSeen): boolean
}

const none: NextPages = { requests: [] }

/** Returns a paginator. `ahead`: pages whose numbers are known may be requested at once. */
export function createPaginator(paginate: Paginate, ahead: boolean): Paginator {
  const { type } = paginate
  const plain = { type, first: (request: PageRequest) => withSize(request, paginate), isToken: () => false }
  switch (type) {
    case 'auto':
      return autoPaginator(paginate, ahead)
    case 'none':
      return { ...plain, after: () => none }
    case 'link_header':
      return { ...plain, after: page => toAddress(page, nextLink(page.headers['link'])) }
    case 'next_url':
      return { ...plain, after: page => toAddress(page, nextUrl(page, paginate.path ?? 'next')) }
    case 'cursor':
      return { ...plain, ...cursorPages(paginate) }
    case 'keyset':
      return { ...plain, after: keysetPages(paginate) }
    case 'page':
      return { ...plain, ...numberedPages(paginate) }
    case 'offset':
      return { ...plain, ...offsetPages(paginate, ahead) }
  }
}

/** Returns a paginator that the first page chooses for all pages. */
function autoPaginator(paginate: Paginate, ahead: boolean): Paginator {
  let detected: Paginator | undefined
  let found: Partial<Paginate> | undefined
  return {
    get type() {
      return detected?.type ?? 'auto'
    },
    get detected() {
      return found
    },
    first: request => withSize(request, paginate),
    after(page) {
      found ??= detectPagination(page)
      detected ??= createPaginator({ ...paginate, ...found }, ahead)
      return detected.after(page)
    },
    isToken: page => detected?.isToken(page) ?? false,
  }
}

function nextUrl(page: PageSeen, path: string): string | undefined {
  const value = valueAt(page.envelope, path)
  const target = typeof value === 'object' && value !== null ? valueAt(value, 'href') : value
  return typeof target === 'string' && target !== '' ? target : undefined
}

function toAddress(page: PageSeen, target: string | undefined): NextPages {
  if (target === undefined) return none
  const url = parseUrl(target, page.url)
  if (url === undefined) {
    throw new SvcError(
      'http-body',
      `page ${page.request.number} names a next page that is no address: ${JSON.stringify(target.slice(0, 100))}`,
    )
  }
  return { requests: [{ url, body: page.request.body, number: page.request.number + 1 }] }
}

function cursorPages(paginate: Paginate): Pick<Paginator, 'isToken' | 'after'> {
  const param = paginate.param ?? 'cursor'
  const cursorOf = ({ envelope, headers }: PageSeen) =>
    paginate.header === undefined
      ? valueAt(envelope, paginate.path ?? 'next_cursor')
      : headers[paginate.header.toLowerCase()]
  return {
    isToken(page) {
      const cursor = cursorOf(page)
      return (typeof cursor === 'string' && !/^\d*$/.test(cursor)) || typeof cursor === 'object'
    },
    after(page) {
      const cursor = cursorOf(page)
      if (cursor === undefined || cursor === null || cursor === '' || cursor === false) return none
      return saysNoMore(page, paginate) ? none : nextWith(page, paginate, param, cursor)
    },
  }
}

function keysetPages(paginate: Paginate): Paginator['after'] {
  const { param = 'after', key = 'id' } = paginate
  return page => {
    if (page.records === 0 || saysNoMore(page, paginate)) return none
    if (page.lastKey !== undefined && page.lastKey !== null)
      return nextWith(page, paginate, param, page.lastKey)
    throw new SvcError('http-body', `the last record of page ${page.request.number} has no "${key}"`, {
      hint: 'Say with ingest.paginate.key which value of a record the next request sends.',
    })
  }
}

function saysNoMore({ envelope }: PageSeen, { more }: Paginate): boolean {
  return more !== undefined && valueAt(envelope, more) === false
}

function nextWith({ request }: PageSeen, paginate: Paginate, param: string, value: unknown): NextPages {
  return { requests: [numbered(withParameter(request, paginate, param, value), request.number + 1)] }
}

function numberedPages(paginate: Paginate): Pick<Paginator, 'first' | 'after'> {
  const param = paginate.param ?? 'page'
  const start = paginate.start ?? 1
  const request = (base: PageRequest, number: number) =>
    numbered(withParameter(base, paginate, param, start + number - 1), number)
  return {
    first: base => request(withSize(base, paginate), 1),
    after(page) {
      const { number } = page.request
      const total = paginate.total === undefined ? undefined : numberAt(page.envelope, paginate.total)
      if (total !== undefined) {
        // The first response gives all other pages; later responses add none.
        return number > 1 ? none : { requests: range(2, total, each => request(page.request, each)) }
      }
      const more = paginate.more === undefined ? undefined : valueAt(page.envelope, paginate.more)
      if (more === false || more === 'false' || more === 0 || more === null) return none
      if (page.records === 0 && more === undefined) return none
      return { requests: [request(page.request, number + 1)] }
    },
  }
}

function offsetPages(paginate: Paginate, ahead: boolean): Pick<Paginator, 'first' | 'after'> {
  const param = paginate.param ?? 'offset'
  const start = paginate.start ?? 0
  const sized = (base: PageRequest) =>
    withSize(base, { ...paginate, sizeParam: paginate.sizeParam ?? 'limit' })
  const at = (base: PageRequest, offset: number, number: number) =>
    numbered(withParameter(base, paginate, param, offset), number)
  let planned = false
  return {
    first: base => at(sized(base), start, 1),
    after(page) {
      const seen = page.before + page.records
      if (planned || page.records === 0) return none
      const total = paginate.total === undefined ? undefined : numberAt(page.envelope, paginate.total)
      const more = paginate.more === undefined ? undefined : valueAt(page.envelope, paginate.more)
      if (more === false) return none
      if (total === undefined || page.request.number > 1 || !ahead) {
        if (total !== undefined && seen >= total) return none
        return { requests: [at(page.request, start + seen, page.request.number + 1)] }
      }
      planned = true
      const each = page.records
      const pages = Math.ceil(total / each)
      const requests = range(2, pages, number => at(page.request, start + (number - 1) * each, number))
      return { requests, counted: { records: each, last: pages } }
    },
  }
}

/** Yields requests one by one, so that a million pages need no list. */
function* range(from: number, to: number, make: (number: number) => PageRequest): Iterable<PageRequest> {
  for (let number = from; number <= to; number++) yield make(number)
}

function withSize(request: PageRequest, paginate: Paginate): PageRequest {
  if (paginate.sizeParam === undefined || paginate.size === undefined) return request
  return withParameter(request, paginate, paginate.sizeParam, paginate.size)
}

function withParameter(request: PageRequest, paginate: Paginate, name: string, value: unknown): PageRequest {
  if (paginate.in === 'body') {
    const body: unknown = request.body === undefined ? {} : JSON.parse(request.body)
    return { ...request, body: JSON.stringify(withValue(body, stepsOf(name), value)) }
  }
  const url = new URL(request.url)
  url.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  return { ...request, url }
}

function numbered(request: PageRequest, number: number): PageRequest {
  return { ...request, number }
}
