/**
 * Pagination (decisions 1, `paginate`). A paginator reads a response and returns the requests that follow it.
 * Pure: it sends nothing. All its state comes from the first page, so to resume in the middle, pass it the
 * first page and then the last one that was read.
 */

import { SvcError } from '../../errors.ts'
import type { IngestOf } from '../source.ts'
import type { Headers, PageRequest } from './http-client.ts'
import { nextLink } from './link-header.ts'
import { addressIn } from './paging/address.ts'
import { parseUrl } from './parse-url.ts'
import { numberSaid, type Said, saidAt, stepsOf, truth, valueAt, withValue } from './value-at.ts'

export type Paginate = IngestOf<'rest_api'>['paginate']

export interface PageSeen {
  readonly request: PageRequest
  /** The address that responded. */
  readonly url: URL
  readonly status?: number | undefined
  readonly headers: Headers
  /** The response without its records; undefined if there was none. */
  readonly envelope: unknown
  /** The path of the records in the response; absent if it is not known. */
  readonly recordsAt?: readonly string[] | undefined
  readonly records: number
  /** The answer is one record, and the envelope is what that record holds. */
  readonly isOne?: true | undefined
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
  const plain = { first: (request: PageRequest) => withSize(request, paginate), isToken: () => false }
  switch (paginate.type) {
    // The first page decides: `paging/find-way.ts`.
    case 'auto':
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

function nextUrl(page: PageSeen, path: string): string | undefined {
  const value = saidAt(page, path)
  if (typeof value === 'string') return isNothing(value) ? undefined : withBase(page.envelope, path, value)
  return addressIn(value)
}

/** Confluence writes addresses below a base that stands beside them. */
function withBase(envelope: unknown, path: string, target: string): string {
  const base = valueAt(envelope, path.replace(/[^.]+$/, 'base'))
  if (!target.startsWith('/') || typeof base !== 'string' || !/^https?:\/\//.test(base)) return target
  return base.replace(/\/+$/, '') + target
}

/** Some services write that there is nothing as a word. */
function isNothing(text: string): boolean {
  return ['', 'null', 'none', 'false'].includes(text.trim().toLowerCase())
}

function toAddress(page: PageSeen, target: string | undefined): NextPages {
  if (target === undefined) return none
  const url = target.startsWith('&') ? withMore(page.request.url, target) : parseUrl(target, page.url)
  if (url === undefined) {
    throw new SvcError(
      'http-body',
      `page ${page.request.number} names a next page that is no address: ${JSON.stringify(target.slice(0, 100))}`,
      { hint: 'Check ingest.paginate.path; a token is sent by type: cursor with its param.' },
    )
  }
  // Some services name a next page behind the last one, which is empty and names itself.
  if (page.records === 0 && url.href === page.request.url.href) return none
  return { requests: [{ url, body: page.request.body, number: page.request.number + 1 }] }
}

/** Returns the address with parameters that a service writes without the rest: `&page=2`. */
function withMore(base: URL, parameters: string): URL {
  const url = new URL(base)
  for (const [name, value] of new URLSearchParams(parameters)) url.searchParams.set(name, value)
  return url
}

function cursorPages(paginate: Paginate): Pick<Paginator, 'isToken' | 'after'> {
  const param = paginate.param ?? 'cursor'
  const cursorOf = (page: Said) =>
    paginate.header === undefined
      ? saidAt(page, paginate.path ?? 'next_cursor')
      : page.headers[paginate.header.toLowerCase()]
  return {
    isToken(page) {
      const cursor = cursorOf(page)
      return (typeof cursor === 'string' && !/^\d*$/.test(cursor)) || typeof cursor === 'object'
    },
    after(page) {
      const cursor = cursorOf(page)
      if (isNoCursor(cursor) || saysNoMore(page, paginate)) return none
      const next = nextWith(page, paginate, param, cursor)
      // The same token behind an empty page is the end of all (Solr).
      return page.records === 0 && isSame(next.requests[0], page.request) ? none : next
    },
  }
}

function isNoCursor(cursor: unknown): boolean {
  if (cursor === undefined || cursor === null || cursor === '' || cursor === false) return true
  // Twitter ends with a cursor of zero.
  return cursor === 0 || cursor === '0'
}

function isSame(next: PageRequest | undefined, before: PageRequest): boolean {
  return (
    next?.url.href === before.url.href &&
    next.body === before.body &&
    isDeepSame(next.headers, before.headers)
  )
}

function isDeepSame(one: PageRequest['headers'], other: PageRequest['headers']): boolean {
  return JSON.stringify(one ?? {}) === JSON.stringify(other ?? {})
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

/** Returns whether a page says that there are more; undefined if it does not say. */
export function flagOf(page: Said, { more, last }: Pick<Paginate, 'more' | 'last'>): boolean | undefined {
  if (more !== undefined) {
    const said = saidAt(page, more)
    return said === undefined ? undefined : truth(said)
  }
  const said = last === undefined ? undefined : saidAt(page, last)
  const isLast = said === undefined ? undefined : truth(said)
  return isLast === undefined ? undefined : !isLast
}

function saysNoMore(page: PageSeen, paginate: Paginate): boolean {
  return flagOf(page, paginate) === false
}

function nextWith(
  { request }: PageSeen,
  paginate: Paginate,
  param: string,
  value: unknown,
): { readonly requests: readonly PageRequest[] } {
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
      const total = numberSaid(page, paginate.total)
      if (total !== undefined) {
        // The first response gives all other pages; later responses add none.
        return number > 1 ? none : { requests: range(2, total, each => request(page.request, each)) }
      }
      const more = flagOf(page, paginate)
      if (more === false) return none
      if (page.records === 0 && more === undefined) return none
      const count = numberSaid(page, paginate.count)
      if (count !== undefined && page.before + page.records >= count) return none
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
      const total = numberSaid(page, paginate.total)
      if (flagOf(page, paginate) === false) return none
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

/** `*` sends each member of a value under its own name (MediaWiki). */
function withParameter(request: PageRequest, paginate: Paginate, name: string, value: unknown): PageRequest {
  if (name === '*' && typeof value === 'object' && value !== null) {
    return Object.entries(value).reduce(
      (each, [own, inner]) => withParameter(each, paginate, own, inner),
      request,
    )
  }
  if (paginate.in === 'body') {
    const body: unknown = request.body === undefined ? {} : JSON.parse(request.body)
    return { ...request, body: JSON.stringify(withValue(body, stepsOf(name), value)) }
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (paginate.in === 'header')
    return { ...request, headers: { ...request.headers, [name.toLowerCase()]: text } }
  const url = new URL(request.url)
  url.searchParams.set(name, text)
  return { ...request, url }
}

function numbered(request: PageRequest, number: number): PageRequest {
  return { ...request, number }
}
