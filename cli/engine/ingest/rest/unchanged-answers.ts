/**
 * Conditional requests (RFC 9110, 13): asks a service whether its answers are still those that the live load was made of. Only
 * when every page says so is nothing new.
 */
import { createHash } from 'node:crypto'
import type { FetchContext, IngestOf } from '../source.ts'
import type { KnownAnswers, MarkedRequest } from './answer-memory.ts'
import { definitionOf } from './checkpoint.ts'
import type { Headers, HttpClient, PageRequest, PageResponse } from './http-client.ts'
import { nextLink } from './link-header.ts'
import { saysOfPages } from './paging/names.ts'
import { parseUrl } from './parse-url.ts'
import type { RequestTemplate } from './request-template.ts'

type RestIngest = IngestOf<'rest_api'>

/** Beyond this number of pages, asking for each of them costs about as much as fetching them. */
const mostPages = 200

/** Returns the hash of everything that decides requests, and what is kept of their answers. */
export function answersDefinition(
  ingest: RestIngest,
  template: RequestTemplate,
  { asset, parents }: FetchContext,
): string {
  const facts = [definitionOf(ingest, template, parents), asset.definition.contract ?? null]
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}

export type Asked =
  | { readonly isSame: true }
  /** The answer to the first request, if that is the one that is new. */
  | { readonly isSame: false; readonly first: PageResponse | undefined }

/** Asks for each page on condition that it is another one, until one is. */
export async function askForChanges(
  { requests, lastPage }: KnownAnswers,
  client: HttpClient,
  { secrets }: Pick<RequestTemplate, 'secrets'>,
): Promise<Asked> {
  for (const [index, request] of requests.entries()) {
    const url = parseUrl(secrets.unseal(request.url))
    if (url === undefined) return { isSame: false, first: undefined }
    const isLast = index === requests.length - 1
    // Whether more pages have come behind it is said in a header of the last page, which its mark is not about.
    const isWhole = isLast && lastPage !== undefined
    const page: PageRequest = { url, body: undefined, number: index + 1 }
    const response = await client.send(isWhole ? page : { ...page, marks: request })
    // A service that does not change its answer may say in a header that there are more pages now.
    if (response.status === 304 && !(isLast && nextLink(response.headers['link']) !== undefined)) continue
    if (isWhole && lastPage === (await hashWithHeaders(response))) continue
    return { isSame: false, first: index === 0 && !isWhole ? response : undefined }
  }
  return { isSame: true }
}

/** Returns what headers say of pages: the address of the next one, totals, flags. */
function headersOfPages(headers: Headers): string {
  const said = Object.entries(headers).filter(([name]) => saysOfPages(name))
  return said.map(([name, value]) => `${name}: ${value}`).join('\n')
}

/** Returns the hash of a body together with what its headers say of pages. */
async function hashWithHeaders({ body, headers }: PageResponse): Promise<string> {
  const hash = createHash('sha256').update(`${headersOfPages(headers)}\n`)
  for await (const piece of body?.pieces() ?? []) hash.update(piece)
  return hash.digest('hex')
}

/** Notes the marks of the answers that pass through a client. */
export function recordAnswers(
  client: HttpClient,
  { paginate }: RestIngest,
  { secrets, method }: Pick<RequestTemplate, 'secrets' | 'method'>,
) {
  const marked = new Map<number, MarkedRequest | undefined>()
  let last: PageResponse | undefined
  let tellsInHeader = paginate.type === 'link_header' || paginate.header !== undefined
  return {
    client: {
      ...client,
      async send(request: PageRequest): Promise<PageResponse> {
        const response = await client.send(request)
        const { number } = response.request
        if (number <= mostPages) marked.set(number, marksOf(response, secrets))
        if (number >= (last?.request.number ?? 0)) last = response
        tellsInHeader ||= headersOfPages(response.headers) !== ''
        return response
      },
    },
    /** Returns what a later run can ask by; undefined if an answer has no mark, or not all of them came to this process. */
    async answers(definition: string, pages: number): Promise<KnownAnswers | undefined> {
      const requests = Array.from({ length: pages }, (_, index) => marked.get(index + 1))
      const isWhole = requests.every(request => request !== undefined)
      if (method !== 'GET' || pages === 0 || pages > mostPages || !isWhole || last === undefined)
        return undefined
      const facts = { definition, requests: requests as readonly MarkedRequest[] }
      return tellsInHeader ? { ...facts, lastPage: await hashWithHeaders(last) } : facts
    },
  }
}

function marksOf(response: PageResponse, secrets: RequestTemplate['secrets']): MarkedRequest | undefined {
  const { etag, 'last-modified': lastModified } = response.headers
  if (response.status !== 200 || (etag === undefined && lastModified === undefined)) return undefined
  return {
    url: secrets.seal(response.request.url.href),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  }
}
