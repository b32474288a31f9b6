/** What an answer says of others: a next page, more records, how many there are of all. It is read, and nothing is made of it here. */
import { nextLink } from '../link-header.ts'
import type { PageSeen } from '../paginate.ts'
import { truth, valueAt, wholeNumber } from '../value-at.ts'
import { isAddress } from './address.ts'
import { type Member, membersOf } from './members.ts'
import {
  lastNames,
  moreNames,
  nextNames,
  offsetNames,
  pageNumberNames,
  pageSizeNames,
  pageTotalNames,
  plainName,
  remainingNames,
  totalNames,
  totalNamesOfPagers,
} from './names.ts'

export interface Counted {
  readonly plain: string
  readonly path: string
  readonly name: string
  readonly container: string
  readonly value: number
}

export interface Flag {
  readonly path: string
  /** Whether there are more. */
  readonly more: boolean
  /** Whether the service says it the other way round: that this page is the last. */
  readonly isInverse: boolean
}

export interface PageClaims {
  readonly members: readonly Member[]
  /** The address in the `Link` header. */
  readonly link: string | undefined
  /** The members that name a next page and have a value. */
  readonly next: readonly Member[]
  /** Those of them that only say where the page ends: one that says where it begins stands beside them (Facebook). */
  readonly positions: readonly Member[]
  /** Members that name a next page and say that there is none. */
  readonly noNext: readonly Member[]
  readonly flag: Flag | undefined
  readonly total: Counted | undefined
  readonly pages: Counted | undefined
  readonly page: Counted | undefined
  readonly offset: Counted | undefined
  readonly size: Counted | undefined
  /** How many records are still to come. */
  readonly remaining: Counted | undefined
  /** What `Content-Range` says: `items 0-24/250`. */
  readonly range: { readonly end: number; readonly total: number | undefined } | undefined
  /** The status says that it is a part. */
  readonly isPart: boolean
  /** What a text says in words: `"page": "1 of 3"`, `"showing": "1-25 of 250 entries"`. */
  readonly worded: Worded | undefined
}

export interface Worded {
  readonly path: string
  readonly text: string
  readonly pages?: number
  readonly total?: number
}

export function claimsOf(page: PageSeen): PageClaims {
  const claims = readClaims(page)
  return page.isOne === true ? ofOneRecord(claims) : claims
}

/** A record has totals and pages of its own; only one with a list in it may be a page. */
function ofOneRecord(claims: PageClaims): PageClaims {
  const nothing = { total: undefined, pages: undefined, page: undefined, offset: undefined, size: undefined }
  const isPage = claims.members.some(
    ({ value, container }) => container === '' && Array.isArray(value) && value.length > 0,
  )
  const more = isPage ? {} : { next: [], positions: [], noNext: [], flag: undefined }
  return { ...claims, ...nothing, ...more, remaining: undefined, range: undefined, worded: undefined }
}

function readClaims(page: PageSeen): PageClaims {
  const members = membersOf(page)
  const ofPage = members.filter(({ isOfPage }) => isOfPage)
  // What the next page is called is not where this one is: `next: {page: 2}`.
  const ofThis = ofPage.filter(
    ({ container }) => !container.split('.').some(step => nextNames.has(plainName(step))),
  )
  const link = page.headers['link']
  const named = members.filter(member => namesNext(member))
  const total = countedBy(totalNames, ofPage) ?? countedByList(ofPage, page) ?? totalOfPager(ofPage)
  return {
    members,
    link: nextLink(link),
    next: named.filter(({ value }) => isThere(value)),
    positions: named.filter(member => isPosition(member, members)),
    noNext: named.filter(({ value }) => !isThere(value)),
    flag: flagIn(ofPage),
    total,
    pages: pagesIn(ofPage, page, total),
    page: countedBy(pageNumberNames, ofThis),
    offset: countedBy(offsetNames, ofThis) ?? countedBy(ofList(page, '', 'offset'), ofThis),
    size: countedBy(pageSizeNames, ofPage),
    remaining: countedBy([...remainingNames], ofPage),
    range: rangeIn(page.headers['content-range']),
    isPart: page.status === 206,
    worded: wordedIn(ofPage),
  }
}

/** Words that mean a next page only where pages are spoken of. */
const vague = ['after', 'cursor', 'marker', 'continue', 'bookmark', 'continuation', 'searchafter']

const beginnings = ['before', 'previous', 'prev', 'beforecursor', 'previouscursor', 'startcursor']

function isPosition({ plain, container }: Member, members: readonly Member[]): boolean {
  if (plain !== 'after' && plain !== 'aftercursor' && plain !== 'endcursor') return false
  const beside = members.filter(each => each.container === container && beginnings.includes(each.plain))
  return beside.some(({ value }) => isThere(value))
}

function namesNext({ plain, isOfPage, value }: Member): boolean {
  if (vague.includes(plain)) return isOfPage
  // An offset that is no number is a token (Airtable).
  if (plain === 'offset') return isOfPage && typeof value === 'string' && !/^\s*\d*\s*$/.test(value)
  if (nextNames.has(plain)) return true
  if (plain.startsWith('next') && isAddress(value)) return true
  return isOfPage && (nextThing.test(plain) || tokenOfPages.test(plain) || /^more\w*ur[il]$/.test(plain))
}

/** Names that no list has, and that can mean nothing else; `next_run_at` can. */
const nextThing =
  /^next(page|cursor|token|ur[il]|link|href|offset|start|marker|key|batch|set|records?|results?|items?|chunk|part|position|index|skip|range|query|request|slice|window|continuation)/
const tokenOfPages =
  /^(page|paging|pagination|cursor|continuation|continue|resume|resumption|scroll)(token|id|key|cursor|mark)$/

/** Nothing, zero and empty objects say that there is no next page. */
function isThere(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === true) return false
  if (typeof value === 'object') {
    if (Array.isArray(value)) return value.some(isThere)
    return Object.values(value).some(isThere)
  }
  return !['', '0', '-1', 'null', 'none', 'false', 'true'].includes(String(value).trim().toLowerCase())
}

function flagIn(members: readonly Member[]): Flag | undefined {
  for (const { plain, value, path } of members) {
    const said = isFlagValue(value, plain) ? truth(value) : undefined
    if (said === undefined || saysNothing(plain, said)) continue
    if (moreNames.has(plain)) return { path, more: said, isInverse: false }
    if (lastNames.has(plain)) return { path, more: !said, isInverse: true }
  }
  // `next: true` is a flag too.
  const next = members.find(({ plain, value }) => nextNames.has(plain) && typeof value === 'boolean')
  return next === undefined ? undefined : { path: next.path, more: next.value === true, isInverse: false }
}

/** That a list was not cut, or a search has ended, says nothing of further pages. */
const halfFlags = ['truncated', 'istruncated', 'resultstruncated', 'incompleteresults']
const halfEnds = ['done', 'isdone', 'complete', 'completed', 'iscomplete', 'finished', 'isfinished', 'end']

function saysNothing(plain: string, said: boolean): boolean {
  return (halfFlags.includes(plain) && !said) || (halfEnds.includes(plain) && said)
}

/** A number that is no flag counts something: `more: 5`, `last_page: 12`. */
function isFlagValue(value: unknown, plain: string): boolean {
  if (/^(has|is)/.test(plain) && ['0', '1'].includes(String(value))) return true
  return (
    typeof value === 'boolean' ||
    (typeof value === 'string' && /^(true|false|yes|no|y|n)$/i.test(value.trim()))
  )
}

function countedBy(names: readonly string[], members: readonly Member[]): Counted | undefined {
  for (const name of names) {
    for (const member of members) {
      const counted = member.plain === name ? asCounted(member) : undefined
      if (counted !== undefined) return counted
    }
  }
  return undefined
}

/** A number may be in an object that says more of it: `{"value": 250, "relation": "eq"}`. */
function asCounted({ path, name, plain, container, value }: Member): Counted | undefined {
  const own = wholeNumber(value)
  if (own !== undefined) return { path, name, plain, container, value: own }
  const inner = typeof value === 'object' && value !== null ? wholeNumber(valueAt(value, 'value')) : undefined
  return inner === undefined ? undefined : { path: `${path}.value`, name, plain, container, value: inner }
}

/** `total_transactions`, `artist-count`: totals that are called by what they count. */
function countedByList(members: readonly Member[], page: PageSeen): Counted | undefined {
  const kinds = [
    ['total', ''],
    ['', 'total'],
    ['', 'count'],
    ['num', ''],
    ['numberof', ''],
  ] as const
  return countedBy(
    kinds.flatMap(([before, behind]) => ofList(page, before, behind)),
    members,
  )
}

function ofList({ recordsAt = [] }: PageSeen, before: string, behind: string): readonly string[] {
  const list = plainName(recordsAt.at(-1) ?? '')
  const one = list.replace(/ies$/, 'y').replace(/s$/, '')
  return list === '' ? [] : [list, one].map(each => before + each + behind)
}

/** Names that mean a total only beside other words of paging. */
function totalOfPager(members: readonly Member[]): Counted | undefined {
  const isPaged = (container: string) =>
    members.some(
      each =>
        each.container === container &&
        (pageTotalNames.includes(each.plain) ||
          pageNumberNames.includes(each.plain) ||
          pageSizeNames.includes(each.plain)),
    )
  return countedBy(
    [...totalNamesOfPagers].filter(name => !pageSizeNames.includes(name) || name === 'size'),
    members.filter(({ container, plain }) => isPaged(container) && (plain !== 'size' || hasPagelen(members))),
  )
}

/** Where the length of a page has a name of its own, `size` is that of all. */
function hasPagelen(members: readonly Member[]): boolean {
  return members.some(({ plain }) => plain === 'pagelen')
}

/** `page_count` is the number of pages, or that of the records on this page: the total tells which. */
function pagesIn(
  members: readonly Member[],
  { records }: PageSeen,
  total: Counted | undefined,
): Counted | undefined {
  const pages = countedBy(pageTotalNames, members)
  if (pages === undefined || total === undefined || pages.value !== records || records === 0) return pages
  return Math.ceil(total.value / records) === pages.value ? pages : undefined
}

/** `items 0-24/250`; PostgREST leaves the unit out, and writes `*` for a total that it does not know. */
function rangeIn(header: string | undefined): PageClaims['range'] {
  const [, end, total] = /(?:^|[\s=])\d+-(\d+)\/(\d+|\*)/.exec(header ?? '') ?? []
  if (end === undefined) return undefined
  return { end: Number(end), total: total === '*' ? undefined : Number(total) }
}

/** A whole number as people read it, also with its thousands apart: `1250`, `1,250`, `1.250`, `1 250`. */
const written = String.raw`(?:\d{1,3}(?:[,.'\u2019\s]\d{3})+|\d+)(?!\d)`
const recordsInWords = new RegExp(
  String.raw`\b${written}\s*(?:-|\u2013|to)\s*${written}\s*(?:of|/)\s*(${written})`,
  'i',
)
const pagesInWords = new RegExp(String.raw`^\D{0,10}${written}\s*(?:of|/)\s*(${written})`, 'i')

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replace(/\D/g, ''))
}

/** A text of two numbers counts pages only where it is called so, and one of three counts records wherever pages are spoken of. */
function wordedIn(members: readonly Member[]): Worded | undefined {
  for (const { path, plain, value } of members) {
    if (typeof value !== 'string' || value.length > 80) continue
    const text = value.trim()
    const total = numberIn(recordsInWords.exec(text)?.[1])
    if (total !== undefined) return { path, text, total }
    const isOfPages = pageNumberNames.includes(plain) || pageTotalNames.includes(plain)
    const pages = isOfPages ? numberIn(pagesInWords.exec(text)?.[1]) : undefined
    if (pages !== undefined) return { path, text, pages }
  }
  return undefined
}

/** Returns whether that many records are all. `count` is also what some services call the records of the page. */
export function isAllOf(total: Counted | undefined, loaded: number, onPage: number): boolean {
  if (total === undefined || loaded < total.value) return false
  return total.value > onPage || !/count$/.test(total.plain) || /total|filter|hit/.test(total.plain)
}
