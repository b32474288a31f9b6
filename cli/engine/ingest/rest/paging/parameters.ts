/**
 * The parameters by which the next page may be asked for. Services show where a page is, and hardly ever which parameter asks for
 * it: where several are usual, each is tried, and the one counts that brings another page.
 */
import type { PageSeen, Paginate } from '../paginate.ts'
import type { Counted } from './claims.ts'
import type { Member } from './members.ts'
import { plainName } from './names.ts'

/** A parameter and where it is sent. */
export type Sent = Pick<Paginate, 'in'> & { readonly param: string }

/** The usual parameters, by the plain name of the token that a service shows. */
const tokenParameters: Readonly<Record<string, readonly string[]>> = {
  next: ['cursor', 'page', 'offset', 'next', 'from', 'starting_after', 'after', 'page_token'],
  nextpage: ['page', 'cursor', 'page_token', 'next_page'],
  nextpagenumber: ['page', 'page_number', 'pageNumber'],
  nextcursor: ['cursor', 'start_cursor', 'after', 'page[cursor]', 'page_cursor', 'next_cursor', 'nextCursor'],
  nextcursormark: ['cursorMark'],
  cursormark: ['cursorMark'],
  cursor: ['cursor', 'after', 'page[cursor]', 'page_token'],
  aftercursor: ['after', 'cursor', 'page[after]', 'page[cursor]', 'after_cursor'],
  after: ['after', 'page[cursor]', 'page[after]', 'cursor', 'starting_after'],
  endcursor: ['after', 'cursor'],
  startingafter: ['starting_after', 'startingAfter'],
  nextmarker: ['marker', 'Marker'],
  marker: ['marker', 'Marker'],
  nextoffset: ['offset', 'start', 'skip'],
  nextskip: ['skip', '$skip'],
  nextstart: ['start', 'startIndex', 'offset'],
  nextstartat: ['startAt'],
  nextstartindex: ['startIndex', 'start_index', 'start'],
  nextpagestart: ['start', 'offset'],
  nextindex: ['index', 'start', 'offset'],
  nextid: ['id', 'since_id', 'after', 'from_id', 'start_id'],
  nextkey: ['key', 'start_key', 'startKey', 'start', 'next_key'],
  nextcontinuationtoken: ['continuationToken', 'continuation-token', 'continuation_token'],
  continuation: ['continuation', 'continuation_token'],
  offset: ['offset'],
  lastevaluatedkey: [
    'ExclusiveStartKey',
    'exclusiveStartKey',
    'exclusive_start_key',
    'lastEvaluatedKey',
    'startKey',
  ],
  nextset: ['cursor', 'offset'],
}

/** Words for tokens of pages, in the spelling of the service. */
const tokenOfPages: Readonly<Record<string, readonly string[]>> = {
  nextpagetoken: [
    'page_token',
    'next_page_token',
    'page-token',
    'pageToken',
    'nextPageToken',
    'paginationToken',
  ],
  pagetoken: ['page_token', 'pageToken', 'page-token'],
  nexttoken: ['next_token', 'pagination_token', 'nextToken', 'NextToken', 'paginationToken', 'token'],
  continuationtoken: ['continuation_token', 'continuationToken', 'continuation-token'],
  resumptiontoken: ['resumptionToken', 'resumption_token'],
  nextpagekey: ['page_key', 'nextPageKey', 'pageKey', 'next_page_key'],
  nextpageid: ['page_id', 'pageId', 'page'],
  nextbatch: ['batch', 'from', 'since'],
}

/** Returns the parameters that may carry a token, the likeliest first. */
export function tokenSenders({ plain, name }: Member, page: PageSeen): readonly Sent[] {
  const spelled = tokenOfPages[plain]
  const usual = tokenParameters[plain] ?? (spelled === undefined ? [] : inSpellingOf(name, spelled))
  const own = name.replace(/^next[_-]?/i, '')
  const bare = own === '' ? [] : [own.charAt(0).toLowerCase() + own.slice(1)]
  return sendersOf([...usual, name, ...bare], page, isTokenPlace)
}

/** `nextPageToken` goes with `pageToken`, `next_page_token` with `page_token`. */
function inSpellingOf(name: string, parameters: readonly string[]): readonly string[] {
  const isCamel = /[a-z][A-Z]/.test(name)
  const isLike = (each: string) => (isCamel ? /[a-z][A-Z]/.test(each) : /[_-]/.test(each))
  return [...parameters.filter(isLike), ...parameters.filter(each => !isLike(each))]
}

const pageParameters = ['page', 'page[number]', 'pageNumber', 'page_number', '_page', 'p', 'pageNo']
const offsetParameters = ['offset', 'skip', 'start', '$skip', 'startIndex']

/** Returns the parameters that may carry the number of a page, where `shown` is how the answer calls it. */
export function pageSenders(
  shown: Pick<Counted, 'name' | 'container'> | undefined,
  page: PageSeen,
): readonly Sent[] {
  if (shown === undefined) return sendersOf(pageParameters, page, isNumberPlace)
  const within = shown.container.split('.').at(-1) ?? ''
  const isHeader = shown.container.startsWith('header')
  const nested = within === '' || isHeader ? [] : nestedNames(within, shown.name)
  const isPlain = /^(page|current_?page|current|number)$/i.test(shown.name) || isHeader
  const first = isPlain ? ['page'] : [shown.name, 'page']
  return sendersOf([...first, ...nested, ...pageParameters], page, isNumberPlace)
}

/** `pagination[page]`, and `searchCriteria[currentPage]` for what is shown as `search_criteria.current_page`. */
function nestedNames(within: string, name: string): readonly string[] {
  const camel = (text: string) => text.replace(/[_-](\w)/g, (_all, letter: string) => letter.toUpperCase())
  return [`${within}[${name}]`, `${camel(within)}[${camel(name)}]`]
}

/** @param likely parameters that go with others of the request */
export function offsetSenders(
  shown: Pick<Counted, 'name' | 'container'> | undefined,
  page: PageSeen,
  likely: readonly string[] = [],
): readonly Sent[] {
  if (shown === undefined) return sendersOf([...likely, ...offsetParameters], page, isNumberPlace)
  const within = shown.container.split('.').at(-1) ?? ''
  const nested = within === '' || shown.container.startsWith('header') ? [] : [`${within}[${shown.name}]`]
  const isOwn = !/-|^(from|skipped|currentoffset)$/i.test(shown.name)
  return sendersOf([...(isOwn ? [shown.name] : []), ...offsetParameters, ...nested], page, isNumberPlace)
}

/** Each parameter costs a request where a service knows none of them. */
const mostTries = 8

type IsPlace = (value: unknown) => boolean

/** A number, or nothing yet: what else a request has under such a name is a filter, which must stay. */
const isNumberPlace: IsPlace = value => value === null || /^\d*$/.test(String(value).trim())
/** `*` asks some services for the first token. */
const isTokenPlace: IsPlace = value => value === null || value === '' || value === '*'

/**
 * Returns how parameters may be sent. One that the request has already, for the first page, is the one; a request with a body
 * carries it there, or else in its address.
 */
function sendersOf(parameters: readonly string[], page: PageSeen, isPlace: IsPlace): readonly Sent[] {
  const names = [...new Set(parameters)]
  const plain = new Set(names.map(plainName))
  const { searchParams } = page.request.url
  const body = bodyOf(page)
  const inBody = body && pathIn(body, (name, value) => plain.has(plainName(name)) && isPlace(value))
  if (inBody !== undefined) return [{ param: inBody, in: 'body' }]
  const asked = [...searchParams].find(([name, value]) => plain.has(plainName(name)) && isPlace(value))
  if (asked !== undefined) return [{ param: asked[0], in: 'query' }]
  const free = names.filter(name => !searchParams.has(name))
  const inQuery = free.map(param => ({ param, in: 'query' as const }))
  if (body === undefined) return inQuery.slice(0, mostTries)
  const members = free.filter(name => !/[[\]$]/.test(name) && !Object.hasOwn(body, name))
  return [...members.map(param => ({ param, in: 'body' as const })).slice(0, 4), ...inQuery.slice(0, 4)]
}

export function bodyOf({ request: { body } }: PageSeen): object | undefined {
  if (body === undefined) return undefined
  const value: unknown = JSON.parse(body)
  return typeof value === 'object' && value !== null ? value : undefined
}

/** Returns the path of the first member that is the one. */
export function pathIn(
  value: unknown,
  is: (name: string, value: unknown) => boolean,
  path = '',
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const whole = path === '' ? key : `${path}.${key}`
    if ((typeof inner !== 'object' || inner === null) && is(key, inner)) return whole
    const deeper = pathIn(inner, is, whole)
    if (deeper !== undefined) return deeper
  }
  return undefined
}
