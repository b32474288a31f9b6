/** Compares what answers have said of more with what was loaded, whatever way of paging led there. */
import { flagOf, type PageSeen, type Paginate } from '../paginate.ts'
import { claimsOf, isAllOf, type PageClaims } from './claims.ts'
import type { Member } from './members.ts'
import { isWordOfPages, pageSizeNames, plainName } from './names.ts'
import { pagingShapes, saysMore } from './shapes.ts'

/** What answers say, and was not loaded. */
export interface MoreSaid {
  /** What they say, in words: `"total" is 250`. */
  readonly said: string
  /** Records that were loaded. */
  readonly loaded: number
  /** Records that are said to be there, where they are counted. */
  readonly claimed?: number
  readonly hint: string
}

export interface WalkedPages {
  /** Whether nobody has said how the service pages, and no answer has. */
  readonly isOpen: boolean
  /** What says whether there are more, where somebody has named it. */
  readonly named: Pick<Paginate, 'more' | 'last'>
  readonly first: PageSeen
  readonly last: PageSeen
  readonly loaded: number
}

/** Returns undefined where nothing says that there is more. */
export function moreSaid(walked: WalkedPages): MoreSaid | undefined {
  const { first, last, loaded } = walked
  const end = claimsOf(last)
  const start = last === first ? end : claimsOf(first)
  const found = byTotal(walked, end, start) ?? byWords(walked, end, start) ?? byFullPage(walked, start)
  return found && { ...found, loaded, hint: hintFor(first, start) }
}

type Found = Pick<MoreSaid, 'said' | 'claimed'>

function byTotal({ loaded }: WalkedPages, end: PageClaims, start: PageClaims): Found | undefined {
  // Records come and go: the last answer knows best.
  const total = end.total ?? start.total
  if (total !== undefined && total.value > loaded)
    return { said: `${shown(total.path)} is ${total.value}`, claimed: total.value }
  const range = end.range?.total ?? start.range?.total
  if (range !== undefined && range > loaded && total === undefined)
    return { said: `Content-Range ends with ${range}`, claimed: range }
  const worded = end.worded ?? start.worded
  if (worded?.total !== undefined && worded.total > loaded && total === undefined)
    return { said: `${shown(worded.path)} is "${worded.text}"`, claimed: worded.total }
  return undefined
}

function byWords({ last, named }: WalkedPages, end: PageClaims, start: PageClaims): Found | undefined {
  const { flag, remaining, isPart, range } = end
  if (flagOf(last, named) === false) return undefined
  if (flag?.more === true) return { said: `${shown(flag.path)} is ${String(!flag.isInverse)}` }
  if (flag?.more === false) return undefined
  if (remaining !== undefined && remaining.value > 0)
    return { said: `${shown(remaining.path)} is ${remaining.value}` }
  const pages = end.pages ?? start.pages
  if (pages !== undefined && pages.value > last.request.number && !isAll(last, end))
    return { said: `${shown(pages.path)} is ${pages.value}` }
  const worded = end.worded ?? start.worded
  if (worded?.pages !== undefined && worded.pages > last.request.number && !isAll(last, end))
    return { said: `${shown(worded.path)} is "${worded.text}"` }
  if (isPart && (range === undefined || range.total === undefined))
    return { said: 'the status is 206, that of a part' }
  // A page without records is behind the end, whatever it names as next.
  if (last.records === 0 || isAll(last, end)) return undefined
  if (end.link !== undefined) return { said: 'the Link header names a next page' }
  const next = end.next.find(member => !end.positions.includes(member) && !isAsked(member, last))
  return next && { said: `${shown(next.path)} names a next page` }
}

/** As many records as a request asks for, and no word about the rest: nobody knows whether they are all. */
function byFullPage({ first, last, isOpen }: WalkedPages, { members, range }: PageClaims): Found | undefined {
  if (!isOpen || first !== last || first.records < 2) return undefined
  const isSilent =
    range === undefined && !members.some(({ isOfPage, plain }) => isOfPage && isWordOfPages(plain))
  const asked = [...first.request.url.searchParams].find(
    ([name, value]) => pageSizeNames.includes(plainName(name)) && value === String(first.records),
  )
  return isSilent && asked !== undefined
    ? {
        said: `as many came as the request asks for (${asked[0]}=${asked[1]}), and nothing tells whether there are more`,
      }
    : undefined
}

/** Returns whether all records that are counted have come. */
function isAll({ before, records }: PageSeen, { total }: PageClaims): boolean {
  return isAllOf(total, before + records, records)
}

/** Some services repeat the token by which this page was asked for. */
function isAsked({ value }: Member, { request }: PageSeen): boolean {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return (
    [...request.url.searchParams.values()].includes(text) ||
    request.body?.includes(JSON.stringify(value)) === true
  )
}

function shown(path: string): string {
  return path.startsWith('header:') ? `the header ${path.slice('header:'.length)}` : `"${path}"`
}

function hintFor(first: PageSeen, claims: PageClaims): string {
  const shape = pagingShapes.find(each => each.find(first, claims) !== undefined)
  const how = shape?.otherwise ?? 'Say with ingest.paginate how the next page is asked for.'
  return `${how} If the table has all that it should have, write claims: ignore in ingest.paginate.`
}

/** Returns whether all records that the answers count were on the pages before this one, which has none. */
export function isBehindAll(page: PageSeen): boolean {
  if (page.records > 0) return false
  const { total } = claimsOf(page)
  return total !== undefined && page.before >= total.value && page.before > 0
}

/** Returns whether a page says by itself that it is the last, or holds all. */
export function saysAll(page: PageSeen): boolean {
  const claims = claimsOf(page)
  if (claims.flag?.more === false) return true
  if (saysMore(page, claims) || claims.next.length > 0 || claims.link !== undefined) return false
  return claims.total !== undefined || claims.pages !== undefined || claims.noNext.length > 0
}

/** Returns whether a page says that there are more. */
export function saysThereIsMore(page: PageSeen): boolean {
  const claims = claimsOf(page)
  if (claims.flag?.more === false) return false
  return saysMore(page, claims) || claims.next.length > 0 || claims.link !== undefined
}
