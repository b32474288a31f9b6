/**
 * The ways in which answers say that there is more, as a table: what each looks like, how it is followed, and what a person is
 * told where it cannot be. `auto`, `svc discover` and the comparison after a walk go by it.
 */
import type { PageSeen, Paginate } from '../paginate.ts'
import { valueAt } from '../value-at.ts'
import { addressIn } from './address.ts'
import type { Counted, PageClaims } from './claims.ts'
import type { Member } from './members.ts'
import { nextNames } from './names.ts'
import { bodyOf, offsetSenders, pageSenders, type Sent, tokenSenders } from './parameters.ts'

/** A way of paging, by the keys of `paginate`. */
export type Way = Pick<Paginate, 'type'> & Partial<Paginate>

export interface PagingShape {
  /** What an answer of this kind looks like, for a person. */
  readonly looks: string
  /** How it is followed, for a person. */
  readonly follows: string
  /** Returns the ways that may lead on, the likeliest first; undefined if the answer does not look like this. */
  find(page: PageSeen, claims: PageClaims): readonly Way[] | undefined
  /** What to do where no way leads on. */
  readonly otherwise: string
}

/** Headers of answers, by the header of the request that takes their value. */
const sentBack: Readonly<Record<string, string>> = {
  'next-range': 'Range',
  'x-ms-continuation': 'x-ms-continuation',
}

const sayHow = 'Say with ingest.paginate how the next page is asked for.'

/** The first that an answer looks like is the one. */
export const pagingShapes: readonly PagingShape[] = [
  {
    looks: 'a `Link` header with `rel="next"`',
    follows: '`link_header`',
    find: (_page, { link }) => (link === undefined ? undefined : [{ type: 'link_header' }]),
    otherwise: sayHow,
  },
  {
    looks:
      'the address of the next page: `next`, `nextLink`, `@odata.nextLink`, `links.next.href`, `header:X-Next-Page-Url`',
    follows: '`next_url`',
    find: (_page, claims) => {
      const next = claims.next.find(member => addressIn(member.value) !== undefined)
      return next && [{ type: 'next_url', path: next.path }]
    },
    otherwise: sayHow,
  },
  {
    looks: 'a connection of GraphQL: `pageInfo {hasNextPage endCursor}`',
    follows: '`cursor` in the variable that the query has for it',
    find: (page, claims) => graphqlWays(page, claims),
    otherwise:
      'Give the query a variable for the cursor, such as orders(after: $after), and send it with paginate.param: variables.after.',
  },
  {
    looks: 'a header that the next request sends: `Next-Range` of Heroku, `x-ms-continuation`',
    follows: '`cursor` with `in: header`',
    find: (_page, { next }) => {
      const header = next.find(
        ({ container, name }) => container === 'header' && sentBack[name] !== undefined,
      )
      return (
        header && [{ type: 'cursor', header: header.name, param: sentBack[header.name] ?? '', in: 'header' }]
      )
    },
    otherwise: sayHow,
  },
  {
    looks: 'parameters of the next request: `continue: {cmcontinue: …}` of MediaWiki',
    follows: '`cursor` with `param: "*"`',
    find: (_page, claims) => {
      const member = claims.next.find(({ plain, value }) => plain === 'continue' && isFlat(value))
      return member && [{ type: 'cursor', path: member.path, param: '*' }]
    },
    otherwise: sayHow,
  },
  {
    looks: 'a list of which `has_more` is true and whose records have an id: Stripe',
    follows: '`keyset` with `starting_after`',
    find: ({ lastKey }, { flag, members, next }) => {
      const isList = members.some(({ path, value }) => path === 'object' && value === 'list')
      if (!isList || flag === undefined || next.length > 0 || lastKey === undefined) return undefined
      return [{ type: 'keyset', key: 'id', param: 'starting_after', ...flagOf(flag) }]
    },
    otherwise: sayHow,
  },
  {
    looks: 'a search of Elasticsearch: `hits.total` and `hits.hits`',
    follows: '`offset` with `from`',
    find: (_page, { members, total }) => {
      const isSearch =
        members.some(({ path }) => path === 'hits.hits') && total?.path.startsWith('hits.total') === true
      return isSearch ? [{ type: 'offset', param: 'from', total: total.path }] : undefined
    },
    otherwise:
      'A scroll cannot be gone on with by the same request: ask with size and from, or by search_after.',
  },
  {
    looks: 'a service of ArcGIS: `exceededTransferLimit: true`',
    follows: '`offset` with `resultOffset`',
    find: (_page, { flag }) =>
      flag !== undefined && /exceededTransferLimit$/.test(flag.path)
        ? [{ type: 'offset', param: 'resultOffset', ...flagOf(flag) }]
        : undefined,
    otherwise: sayHow,
  },
  {
    looks:
      'a token of the next page in the body or a header: `next_cursor`, `nextPageToken`, `paging.cursors.after`, `X-Next-Cursor`',
    follows: '`cursor`',
    find: (page, claims) => tokenWays(page, claims),
    otherwise: sayHow,
  },
  {
    looks: 'the number of the next page or record: `next_page: 2`, `next_offset: 100`, `X-Next-Page`',
    follows: '`cursor`, which sends the number',
    find: (page, claims) => nextNumberWays(page, claims),
    otherwise: sayHow,
  },
  {
    looks: 'a number of pages: `total_pages: 7`, `X-WP-TotalPages`',
    follows: '`page` with `total`',
    find: (page, { pages, page: current, offset }) => {
      if (pages === undefined || pages.value < 2 || (current === undefined && offset !== undefined))
        return undefined
      if (current !== undefined && current.value > pages.value) return undefined
      return pageWays(page, current ?? { ...pages, name: 'page' }, current, { total: pages.path })
    },
    otherwise: sayHow,
  },
  {
    looks: 'an offset and a total or a flag: `offset: 0, total: 250`, `startAt: 0, isLast: false`',
    follows: '`offset`',
    find: (page, claims) => {
      const { offset } = claims
      if (offset === undefined || page.records === 0 || !saysMore(page, claims)) return undefined
      const end = endOf(claims, 'total')
      return offsetSenders(offset, page).map(sent => ({
        type: 'offset',
        ...sent,
        ...end,
        start: offset.value,
      }))
    },
    otherwise: sayHow,
  },
  {
    looks: 'the number of this page and a total or a flag: `page: 1, total: 250`, `page: 1, has_more: true`',
    follows: '`page`',
    find: (page, claims) => {
      if (claims.page === undefined || page.records === 0 || !saysMore(page, claims)) return undefined
      return pageWays(page, claims.page, claims.page, endOf(claims, 'count'))
    },
    otherwise: sayHow,
  },
  {
    looks:
      'a total, a flag or `Content-Range`, and a request that asks for a page or for a number of records',
    follows: '`page` beside `per_page` and the like, `offset` beside `limit` and the like',
    find: (page, claims) => {
      if (page.records === 0 || !saysMore(page, claims)) return undefined
      return waysOfRequest(page, claims)
    },
    otherwise: sayHow,
  },
]

/** Returns the ways that may lead on from the first page; the first one that brings another page is the one. */
export function waysFrom(page: PageSeen, claims: PageClaims): readonly Way[] {
  // One record is followed by no other: its `next` may be another thing of the same kind.
  if (page.isOne === true) return claims.link === undefined ? [] : [{ type: 'link_header' }]
  if (claims.flag?.more === false && claims.next.length === 0 && claims.link === undefined) return []
  for (const shape of pagingShapes) {
    const ways = shape.find(page, claims)
    if (ways !== undefined) return ways
  }
  return []
}

// ---------------------------------------------------------------- what answers say

/** Returns whether an answer says that there is more than it holds. */
export function saysMore(
  { records }: PageSeen,
  { flag, total, pages, range, isPart, remaining }: PageClaims,
): boolean {
  if (flag?.more === true) return true
  if (total !== undefined && total.value > records) return true
  if (remaining !== undefined && remaining.value > 0) return true
  if (range !== undefined && (range.total === undefined ? isPart : range.end + 1 < range.total)) return true
  return pages !== undefined && pages.value > 1
}

export function flagOf(flag: PageClaims['flag']): Partial<Paginate> {
  if (flag === undefined) return {}
  return flag.isInverse ? { last: flag.path } : { more: flag.path }
}

/** Returns by what the end of the pages is known. */
function endOf({ total, flag }: PageClaims, key: 'total' | 'count'): Partial<Paginate> {
  if (flag !== undefined) return flagOf(flag)
  return total === undefined ? {} : { [key]: total.path }
}

function isFlat(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(each => typeof each !== 'object')
  )
}

// ---------------------------------------------------------------- ways

/** The number of the first page is not always shown: whether it is 0 or 1, the second page tells. */
function pageWays(
  page: PageSeen,
  shown: Pick<Counted, 'name' | 'container'>,
  current: Counted | undefined,
  end: Partial<Paginate>,
): readonly Way[] {
  const senders = pageSenders(shown, page)
  const starts = startsOf(page, senders, current)
  return senders.flatMap(sent => starts.map(start => ({ type: 'page' as const, ...sent, ...end, start })))
}

function startsOf(
  { request }: PageSeen,
  senders: readonly Sent[],
  current: Counted | undefined,
): readonly number[] {
  if (current !== undefined) return [current.value]
  const asked = senders.flatMap(({ param }) => request.url.searchParams.get(param) ?? [])[0]
  return asked !== undefined && /^\d+$/.test(asked) ? [Number(asked)] : [0, 1]
}

/** Returns the query of a request of GraphQL; undefined for all others. */
function queryOf(page: PageSeen): string | undefined {
  const query = valueAt(bodyOf(page), 'query')
  return typeof query === 'string' && query.includes('{') ? query : undefined
}

function graphqlWays(page: PageSeen, claims: PageClaims): readonly Way[] | undefined {
  const query = queryOf(page)
  if (query === undefined) return undefined
  const next = claims.next.find(({ value }) => isToken(value))
  if (next === undefined) return saysMore(page, claims) ? [] : undefined
  const variable = /\b(?:after|cursor|pageToken|page_token|offset|skip|page)\s*:\s*\$(\w+)/.exec(query)?.[1]
  if (variable === undefined) return []
  const ownFlag = claims.flag ?? flagBeside(next, claims)
  return [{ type: 'cursor', path: next.path, param: `variables.${variable}`, in: 'body', ...flagOf(ownFlag) }]
}

/** A connection is deep in an answer, where no other words of paging are looked for. */
function flagBeside({ container }: Member, { members }: PageClaims): PageClaims['flag'] {
  const flag = members.find(each => each.container === container && /^hasNext(Page)?$/i.test(each.name))
  return flag && { path: flag.path, more: flag.value === true, isInverse: false }
}

/** A text that is neither an address nor a plain number, or an object that is one (DynamoDB). */
function isToken(value: unknown): boolean {
  if (typeof value === 'string') return addressIn(value) === undefined && !/^\d+$/.test(value.trim())
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && addressIn(value) === undefined
  )
}

function tokenWays(page: PageSeen, claims: PageClaims): readonly Way[] | undefined {
  const texts = claims.next.filter(({ value }) => isToken(value) && typeof value === 'string')
  const objects = claims.next.filter(({ plain, value }) => isToken(value) && !containers.includes(plain))
  const member = [...texts, ...objects][0]
  if (member === undefined || queryOf(page) !== undefined) return undefined
  if (member.plain === 'scrollid') return []
  const source = sourceOf(member)
  const senders = tokenSenders(member, page)
  // A position is there on the last page too: it is tried, and not often.
  const likely =
    claims.positions.includes(member) && claims.flag === undefined ? senders.slice(0, 2) : senders
  return likely.map(sent => ({ type: 'cursor', ...source, ...sent, ...flagOf(claims.flag) }))
}

/** What holds the token, and is none itself: `paging.next.after`. */
const containers = ['next', 'nextpage', 'cursor', 'continue', 'after']

function sourceOf({ path, name, container }: Member): Partial<Paginate> {
  return container === 'header' ? { header: name } : { path }
}

/** A number is that of a page if it follows this one, and else counts records. */
function nextNumberWays(page: PageSeen, claims: PageClaims): readonly Way[] | undefined {
  const member = claims.next.find(({ value }) =>
    /^\d+$/.test(typeof value === 'object' ? '' : String(value).trim()),
  )
  if (member === undefined) return undefined
  const value = Number(member.value)
  const source = sourceOf(member)
  const end = flagOf(claims.flag)
  const current = claims.page?.value
  const isOffset =
    /offset|start|skip|index/.test(member.plain) ||
    (!/page/.test(member.plain) && current === undefined && value > 2 && value >= page.records)
  const named = nextNames.has(member.plain) && !['next', 'nextpage', 'nextpagenumber'].includes(member.plain)
  const senders = isOffset
    ? claims.offset === undefined && named
      ? [...tokenSenders(member, page)]
      : offsetSenders(claims.offset, page)
    : named && !/page/.test(member.plain)
      ? tokenSenders(member, page)
      : pageSenders(claims.page, page)
  return senders.map(sent => ({ type: 'cursor', ...source, ...sent, ...end }))
}

/** `per_page` goes with pages, `limit` with offsets. */
function waysOfRequest(page: PageSeen, claims: PageClaims): readonly Way[] | undefined {
  const names = [...page.request.url.searchParams.keys(), ...Object.keys(bodyOf(page) ?? {})]
  const has = (pattern: RegExp) => names.some(name => pattern.test(name))
  const byPage = () => pageWays(page, { name: 'page', container: '' }, undefined, endOf(claims, 'count'))
  const byOffset = () =>
    offsetSenders(undefined, page, besideSize(names)).map(
      (sent): Way => ({ type: 'offset', ...sent, ...endOf(claims, 'total'), start: askedStart(page, sent) }),
    )
  if (has(/^(_?page|page_?(no|num|number|index)|page\[number\]|p)$/i)) return byPage()
  if (has(/^\$?(offset|skip|start|start_?(at|index)|_start|from)$/i)) return byOffset()
  if (has(/^(_?per[_-]?page|page_?size|page\[size\]|size)$/i))
    return [...byPage().slice(0, 4), ...byOffset().slice(0, 3)]
  if (
    has(/^\$?(_?limit|top|rows|count|max|max_?results|take|length|page\[limit\])$/i) ||
    claims.range !== undefined
  )
    return [...byOffset().slice(0, 4), ...byPage().slice(0, 4)]
  if (claims.size !== undefined && claims.size.value === page.records)
    return /page|size/i.test(claims.size.name)
      ? [...byPage().slice(0, 4), ...byOffset().slice(0, 3)]
      : [...byOffset().slice(0, 4), ...byPage().slice(0, 4)]
  return undefined
}

/** The parameters of offsets that go with those of sizes. */
const offsetsBeside: Readonly<Record<string, readonly string[]>> = {
  $top: ['$skip'],
  _limit: ['_start', '_skip'],
  maxResults: ['startAt', 'startIndex'],
  max_results: ['start_index', 'start'],
  rows: ['start'],
  take: ['skip'],
  size: ['from'],
}

function besideSize(names: readonly string[]): readonly string[] {
  return names.flatMap(name => offsetsBeside[name] ?? [])
}

function askedStart({ request }: PageSeen, { param }: Sent): number {
  const asked = request.url.searchParams.get(param)
  return asked !== null && /^\d+$/.test(asked) ? Number(asked) : 0
}
