/**
 * The words in which web services speak of pages. Names are compared without case, marks and what stands before them by custom
 * (`X-WP-TotalPages`, `@odata.nextLink`, `total_pages` and `totalPages` are told apart by nobody).
 */

/** Returns a name of a member as it is compared with the words below. */
export function plainName(name: string): string {
  return lettersOf(name).replace(/^odata(?=...)/, '')
}

/** Returns the name of a header in the same way, without the names of products in front of it. */
export function plainHeader(name: string): string {
  return lettersOf(name)
    .replace(/^x(?=...)/, '')
    .replace(/^(odata|opc|wp|ms|pw|pagination|paging|pager)(?=...)/, '')
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(word => word !== ''))
}

/** Members whose value, where it is one, is the next page: an address, a token or a number. */
export const nextNames = words(`
  next nextpage nexturl nexturi nextlink nexthref nextpageurl nextpageuri nextpagelink nextpagepath nextpagehref
  nextrecordsurl nextresults nextresultsurl nextset afterurl moreurl nextpagetoken nexttoken nextcursor
  nextcursormark nextmarker nextoffset nextstart nextpagestart nextstartindex nextpagenumber nextid nextkey nextpagekey
  nextpageid nextbatch nextposition nextstartkey nextskip nextstartat nextindex nextcontinuationtoken nextrange
  continuationtoken continuation continue aftercursor endcursor after cursor cursormark startingafter marker pagetoken
  scrollid bookmark lastevaluatedkey resumptiontoken searchafter paginationtoken cursorquery nextquery nextrequest
  nextpageparams
`)

/** Members that say with a boolean that there are more. */
export const moreNames = words(`
  hasmore hasnext hasnextpage hasmorepages hasmorepage hasmoreitems hasmoreresults hasmoredata hasmorerecords more moreresults
  moreresult morerecords morepages moreavailable moreitems moreitemsincollection moredata hasnextresults
  exceededtransferlimit istruncated truncated incompleteresults hasadditional hasadditionalpages hasnextset isnext
  nextavailable nextpageavailable nextpageexists nextexists resultstruncated
`)

/** Members that say with a boolean that there are no more. */
export const lastNames = words(`
  islast islastpage last lastpage endofrecords endofstream endoflist endofdata endofresults isend isfinal islastbatch
  done isdone complete completed iscomplete finished isfinished nomore nomorepages nomoreresults eof allfetched end
  reachedend atend
`)

/** Members that count all records, the surest first: `count` is also what some services call the records of the page. */
export const totalNames: readonly string[] = [
  ...words(`
  total totalcount totalrecords totalitems totalresults totalelements totalentries totalsize totalhits totalrows
  totalnumber totalnumberofrecords totalnumberofresults totalnumberofitems totalresultcount totalresultscount
  totalresultssize totalobjects totalitemcount totalitemscount totalrecordcount totalrecordscount totalavailable totaldocs
  totalcountofrecords totalamountofrecords filtercount filteredcount recordstotal recordsfiltered resultstotal resulttotal
  itemstotal totalmatches totalmatching totalfound totalresultsets totalnum grandtotal overallcount allcount
  numbermatched nummatched numfound nhits nbhits hitcount totalhitcount objectcount itemcount itemscount
  gesamt gesamtanzahl gesamtzahl insgesamt totalregistros totalderegistros nombretotal
  recordcount recordscount resultcount resultscount rowcount rowscount rowstotal numresults numitems numrecords
  numberofrecords numberofresults numberofitems entrycount entriescount matches found available count
`),
]

/** Totals only where nothing but paging is spoken of: `pagination.items`. */
export const totalNamesOfPagers = words(
  `results items records entries all size elements rows documents docs hits`,
)

/** Members that count what is still to come. */
export const remainingNames = words(
  `remaining remainingitemcount remainingcount remainingitems remainingrecords remainingresults`,
)

export const pageTotalNames: readonly string[] = [
  ...words(`
  totalpages totalpage pagecount pagescount pages lastpage lastpagenumber numpages numberofpages nbpages pagestotal pagetotal
  maxpage totalpagecount pagetotalcount totalpagescount totalnumberofpages pagetotalnumber totpages resultpages
`),
]

export const pageNumberNames: readonly string[] = [
  ...words(
    `page currentpage pagenumber pageno pageindex pagenum current currentpagenumber curpage number pageid`,
  ),
]

export const offsetNames: readonly string[] = [
  ...words(
    `offset skip startat startindex startposition start from skipped resultoffset startrecord firstrecord currentoffset`,
  ),
]

export const pageSizeNames: readonly string[] = [
  ...words(`
  perpage pagesize itemsperpage resultsperpage recordsperpage hitsperpage pagelen pagelimit limit maxresults max size
  maxpagesize rows top rpp take first resultrecordcount maxrecords count
`),
]

/** Objects that hold what is said of pages, and nothing else that would look like it. */
const pagers = words(`
  meta metadata page pages paging pagination pager links link info pageinfo pagecontext resultinfo responsemetadata
  additionaldata searchmetadata resultset responseheader extra cursor cursors next nextpage pagingmetadata pagemetadata
  searchcriteria range parameters summary collection search query d data response result results payload message body
  output value hits pageable queryresponse records properties
  pagingdata paginationinfo paginationmetadata paginationdata navigation nav listmetadata envelope attr
`)

/** Objects that count other things than the records. */
const others = words(`
  facets facet aggregations aggs aggregates included errors error warnings ratelimit quota limits usage user account
  request headers status embedded timing profile suggestions
`)

export type ContainerKind = 'pager' | 'other' | 'unknown'

export function containerKind(name: string): ContainerKind {
  const letters = lettersOf(name)
  if (others.has(letters)) return 'other'
  return pagers.has(letters) ? 'pager' : 'unknown'
}

const wordsOfPages = new Set<string>([
  ...nextNames,
  ...moreNames,
  ...lastNames,
  ...totalNames,
  ...remainingNames,
  ...pageTotalNames,
  ...pageNumberNames,
  ...offsetNames,
  ...pageSizeNames,
])

export function isWordOfPages(plain: string): boolean {
  return wordsOfPages.has(plain)
}

/** Returns whether a header speaks of pages. */
export function saysOfPages(header: string): boolean {
  return ['link', 'content-range', 'x-pagination'].includes(header) || wordsOfPages.has(plainHeader(header))
}
