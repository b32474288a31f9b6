/**
 * Finds how a service pages, from its first answer. What the answer shows is followed at once where only one way is possible; where
 * a service does not show which parameter it takes, the usual ones are tried, and the one counts that brings another page.
 */
import { SvcError } from '../../../errors.ts'
import type { HttpClient, PageRequest, PageResponse } from '../http-client.ts'
import { createPaginator, type PageSeen, type Paginate } from '../paginate.ts'
import type { PageReader } from '../read-page.ts'
import { claimsOf } from './claims.ts'
import { type Way, waysFrom } from './shapes.ts'

export interface FoundWay {
  readonly way: Way
  /** The second page, where it was asked for. */
  readonly second?: PageResponse
  /** How many ways were tried and led nowhere. */
  readonly tried: number
}

export interface WaySearch {
  readonly paginate: Paginate
  readonly client: Pick<HttpClient, 'send'>
  readonly reader: Pick<PageReader, 'look'>
}

const noWay: Way = { type: 'none' }

export async function findWay(
  page: PageSeen,
  hash: string,
  { paginate, client, reader }: WaySearch,
): Promise<FoundWay> {
  const ways = waysFrom(page, claimsOf(page))
  const [only, ...others] = ways
  if (only === undefined) return { way: noWay, tried: 0 }
  if (others.length === 0) return { way: only, tried: 0 }
  const asked = new Map<string, PageResponse | undefined>()
  for (const way of ways) {
    const [request] = createPaginator({ ...paginate, ...way }, false).after(page).requests
    if (request === undefined) continue
    const key = keyOf(request)
    if (!asked.has(key)) asked.set(key, await answerOf(request, client))
    const second = asked.get(key)
    if (second !== undefined && (await isAnother(second, page, hash, way, reader)))
      return { way, second, tried: asked.size }
  }
  return { way: noWay, tried: asked.size }
}

/** Two requests are the same page if this is. */
export function keyOf({ url, body, headers }: PageRequest): string {
  return `${url.href}\n${body ?? ''}${headers === undefined ? '' : `\n${JSON.stringify(headers)}`}`
}

/** How services refuse a parameter that they do not know. */
const wrongRequest = [400, 422]

/** Returns undefined where the service refuses the parameter; another failure is that of the page. */
async function answerOf(
  request: PageRequest,
  client: Pick<HttpClient, 'send'>,
): Promise<PageResponse | undefined> {
  try {
    return await client.send(request)
  } catch (error) {
    if (error instanceof SvcError && wrongRequest.includes(Number(error.facts?.['status']))) return undefined
    throw error
  }
}

/** A service that does not know a parameter answers as before; a page without records leads on only where a token does. */
async function isAnother(
  response: PageResponse,
  first: PageSeen,
  hash: string,
  { type }: Way,
  reader: Pick<PageReader, 'look'>,
): Promise<boolean> {
  // What on_status passes over, or ends with, is no answer of a service that does not know the parameter.
  if (response.body === undefined) return response.action !== 'ok' || type === 'cursor'
  try {
    const page = await reader.look(response)
    if (page.records > 0) return page.hash !== hash
    return type === 'cursor' && first.records > 0
  } catch (error) {
    // What is no page of records is a refusal in other words.
    if (error instanceof SvcError && error.code === 'http-body') return false
    throw error
  }
}
