/**
 * Detects from the first response how an API pages: a `Link` header, an address of the next page, a cursor, a
 * number of pages, or an offset and a total; otherwise there is one page. It assumes nothing that the
 * response does not show.
 */
import { nextLink, parseLinkHeader } from './link-header.ts'
import type { PageSeen, Paginate } from './paginate.ts'
import { numberAt, valueAt } from './value-at.ts'

const containers = [
  '',
  'links.',
  '_links.',
  'paging.',
  'pagination.',
  'meta.',
  'meta.pagination.',
  'meta.links.',
  'pagination.links.',
  'page.',
  'page_info.',
  'response_metadata.',
  'info.',
]

const addresses = [
  'next',
  'next_url',
  'nextUrl',
  'next_page_url',
  'nextPageUrl',
  'next_link',
  'nextLink',
  '@odata.nextLink',
  'next_page',
]

/** The names of cursors, each with the parameter that takes it. */
const cursors: Readonly<Record<string, string>> = {
  next_cursor: 'cursor',
  nextCursor: 'cursor',
  cursor: 'cursor',
  'cursors.after': 'after',
  'cursor.next': 'cursor',
  next_page_token: 'page_token',
  nextPageToken: 'pageToken',
  next_token: 'next_token',
  nextToken: 'nextToken',
  continuation_token: 'continuation_token',
  continuationToken: 'continuationToken',
  end_cursor: 'after',
  endCursor: 'after',
}

const pageTotals = ['total_pages', 'totalPages', 'page_count', 'pageCount', 'pages', 'last_page', 'lastPage']
const pageNumbers = ['page', 'current_page', 'currentPage', 'page_number', 'pageNumber', 'number']
const recordTotals = ['total', 'total_count', 'totalCount', 'total_records', 'totalRecords', 'count']

export function detectPagination(page: PageSeen): Pick<Paginate, 'type'> & Partial<Paginate> {
  const link = page.headers['link']
  if (nextLink(link) !== undefined) return { type: 'link_header' }
  if (link !== undefined && parseLinkHeader(link).some(each => each.relations.some(isPageRelation)))
    return { type: 'none' }
  return fromAddress(page) ?? fromCursor(page) ?? fromPages(page) ?? fromOffset(page) ?? { type: 'none' }
}

/**
 * Returns whether a relation belongs to pagination. The last page has such links too, but none to a next
 * page.
 */
function isPageRelation(relation: string): boolean {
  return relation === 'prev' || relation === 'first' || relation === 'last'
}

type Found = ReturnType<typeof detectPagination> | undefined

function fromAddress({ envelope }: PageSeen): Found {
  for (const path of paths(addresses)) {
    const value = valueAt(envelope, path)
    const target = typeof value === 'object' && value !== null ? valueAt(value, 'href') : value
    if (typeof target === 'string' && /^(https?:\/\/|\/|\?)/.test(target)) return { type: 'next_url', path }
  }
  return undefined
}

function fromCursor({ envelope }: PageSeen): Found {
  for (const path of paths(Object.keys(cursors))) {
    const value = valueAt(envelope, path)
    if ((typeof value !== 'string' || value === '') && typeof value !== 'number') continue
    const name = Object.keys(cursors).find(each => path === each || path.endsWith(`.${each}`))
    return { type: 'cursor', path, param: cursors[name ?? ''] ?? 'cursor' }
  }
  return undefined
}

function fromPages({ envelope, request }: PageSeen): Found {
  for (const path of paths(pageTotals)) {
    const total = numberAt(envelope, path)
    if (total === undefined || total < 2) continue
    const container = path.slice(0, path.lastIndexOf('.') + 1)
    const current = pageNumbers
      .map(name => numberAt(envelope, container + name))
      .find(number => number !== undefined)
    const asked = pageNumbers.find(name => request.url.searchParams.has(name))
    const start = current ?? 1
    return { type: 'page', total: path, param: asked ?? 'page', start }
  }
  return undefined
}

/** Detects offsets, but only if the response itself contains its offset. */
function fromOffset({ envelope, records }: PageSeen): Found {
  for (const container of containers) {
    const offset = numberAt(envelope, `${container}offset`) ?? numberAt(envelope, `${container}skip`)
    const total = recordTotals.find(name => numberAt(envelope, container + name) !== undefined)
    if (offset === undefined || total === undefined || records === 0) continue
    const param = numberAt(envelope, `${container}offset`) === undefined ? 'skip' : 'offset'
    return { type: 'offset', total: container + total, param, start: offset }
  }
  return undefined
}

/**
 * Returns the total number of records that the response claims, to notice that one page was not all of them.
 */
export function claimedTotal(envelope: unknown): number | undefined {
  for (const path of paths(recordTotals)) {
    const total = numberAt(envelope, path)
    if (total !== undefined) return total
  }
  return undefined
}

function paths(names: readonly string[]): string[] {
  return containers.flatMap(container => names.map(name => container + name))
}
