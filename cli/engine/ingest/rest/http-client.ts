/**
 * Sends the requests of one source: persistent connections, rate limit, timeout, retries with backoff,
 * redirects. A request never leaves the origin of the endpoint unless the asset allows the host, and
 * credentials are never sent elsewhere (decisions 3). This module knows nothing about pages and records.
 */
import type { Dispatcher } from 'undici'
import { SvcError } from '../../errors.ts'
import type { FetchContext, IngestOf } from '../source.ts'
import { refuseOtherHosts } from './allowed-hosts.ts'
import type { MarkedRequest } from './answer-memory.ts'
import { type Body, BodyProblem } from './body.ts'
import { createDispatcher } from './dispatcher.ts'
import { type SaveTarget, savingTo } from './download.ts'
import { createHostPaces, type HostPaces, type Visit } from './host-pace.ts'
import { type Judge, judge, type Outcome, plainHeaders } from './judge-response.ts'
import type { Logins, Pass } from './login.ts'
import { loginsOf } from './login-client.ts'
import { createPace, type Pace, wait } from './pace.ts'
import { parseUrl } from './parse-url.ts'
import type { RequestTemplate } from './request-template.ts'
import {
  bodyProblem,
  isPermanent,
  networkFailure,
  page,
  shownAddress,
  showSeconds,
  withoutParameters,
} from './request-words.ts'
import { type Backoff, backoffMs, type StatusAction } from './retry.ts'
import { ask, logged } from './send-request.ts'
import { timeoutClock } from './timeout-clock.ts'

export interface PageRequest {
  /** The address without the parameters of the authentication. */
  readonly url: URL
  /** The JSON text of a POST body. */
  readonly body: string | undefined
  /** Headers of this page alone, which go to the origin of the endpoint. */
  readonly headers?: Readonly<Record<string, string>>
  /** The number of the request from 1, for messages. */
  readonly number: number
  /** What is asked for, if it is no page. */
  readonly what?: string
  /** A redirect is an answer, and is not followed. */
  readonly followsNone?: true
  /** Asks only for an answer that has other marks than these: otherwise the status is 304. */
  readonly marks?: Pick<MarkedRequest, 'etag' | 'lastModified'>
}

export type Headers = Readonly<Record<string, string | undefined>>

export interface PageResponse {
  readonly request: PageRequest
  /** The address that responded, after redirects; relative addresses are resolved against it. */
  readonly url: URL
  readonly status: number
  readonly action: Exclude<StatusAction, 'retry' | 'fail'>
  readonly headers: Headers
  /** Undefined if the status means that there is nothing to read. */
  readonly body: Body | undefined
}

export interface HttpClient {
  send(request: PageRequest): Promise<PageResponse>
  /** Writes the body to a file, and returns whether it is the whole. Throws SvcError for a status that is not a success. */
  save(request: PageRequest, target: SaveTarget): Promise<boolean>
  /** Returns an address for messages, without credentials. */
  show(url: URL): string
  /** Throws `host-not-allowed` for an address to which no request may be sent. */
  allow(url: URL, why: string): void
  close(): Promise<void>
}

export interface HttpClientOptions {
  readonly ingest: IngestOf<'rest_api'>
  readonly template: RequestTemplate
  readonly context: FetchContext
  readonly backoff: Backoff
  /** The longest pause that a server may ask for. */
  readonly maxPauseMs: number
  readonly note: (text: string) => void
  /** The address that is shown in place of all others, and nothing that a server says: requests hold personal values. */
  readonly shownAs?: URL | undefined
  /** Whether the first request is one that the file has: then it is told what a server says against it. */
  readonly tellsFirst?: boolean
}

const maxRedirects = 10
const redirects = [301, 302, 303, 307, 308]

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { ingest, template, context } = options
  const dispatcher = createDispatcher(ingest.limits.concurrency, context.env)
  const pace = createPace(ingest.limits.ratePerSecond)
  const hosts = context.hosts ?? createHostPaces(options)
  const allow = (url: URL, why: string) => refuseOtherHosts(url, why, options)
  const show = (url: URL) => shownAddress(options.shownAs ?? url, template)
  let bodies = 0
  const nextBody = () => ++bodies
  const closing = new AbortController()
  const logins = loginsOf(options, createHttpClient)
  const sender: Sender = {
    ...options,
    dispatcher,
    pace,
    hosts,
    allow,
    show,
    nextBody,
    logins,
    closed: closing.signal,
  }
  return {
    send: request => sendWithRetries(request, sender, judge),
    save: async (request, target) => {
      const saved = { isWhole: true }
      await sendWithRetries(request, sender, savingTo(target, saved))
      return saved.isWhole
    },
    show,
    allow,
    async close() {
      closing.abort()
      await Promise.all([dispatcher.destroy(), logins?.close()])
    },
  }
}

export interface Sender extends HttpClientOptions {
  readonly dispatcher: Dispatcher
  /** Aborted when nobody waits for responses any more. */
  readonly closed: AbortSignal
  readonly pace: Pace
  readonly hosts: HostPaces
  /** Numbers the bodies that are too large for memory. */
  readonly nextBody: () => number
  readonly logins: Logins | undefined
  readonly allow: HttpClient['allow']
  readonly show: HttpClient['show']
}

async function sendWithRetries(request: PageRequest, sender: Sender, judge: Judge): Promise<PageResponse> {
  const { retries } = sender.ingest.limits
  for (let tries = 1; ; tries++) {
    const outcome = await sendOnce(request, sender, judge)
    if ('response' in outcome) return outcome.response
    if (sender.closed.aborted) throw outcome.failure
    const waitMs = outcome.waitMs ?? backoffMs(tries, sender.backoff)
    if (tries > retries || waitMs > sender.maxPauseMs) throw givenUp(outcome, tries)
    const next = `waiting ${showSeconds(waitMs)}, then try ${tries + 1} of ${retries + 1}`
    sender.note(`${outcome.failure.message}: ${next}`)
    // A pause that the server asked for applies to all requests; a backoff applies to this request only.
    if (outcome.waitMs !== undefined) sender.hosts.of(request.url.origin).pause(waitMs)
    else await wait(waitMs, AbortSignal.any([sender.context.signal, sender.closed]))
  }
}

/** Returns the last failure, with the number of tries and the pause that the server asked for. */
function givenUp({ failure, waitMs }: Extract<Outcome, { failure: SvcError }>, tries: number): SvcError {
  const hint =
    waitMs === undefined || waitMs < 1000
      ? failure.hint
      : `The server asks to wait ${showSeconds(waitMs)}: run again then, or lower limits.rate.`
  return failure.retold(tries === 1 ? failure.message : `${failure.message} (${tries} tries)`, { hint })
}

async function sendOnce(request: PageRequest, sender: Sender, judge: Judge): Promise<Outcome> {
  const { context, ingest } = sender
  await sender.pace.turn(context.signal)
  const visit = await sender.hosts.of(request.url.origin).enter(context.signal)
  const { timeoutMs } = ingest.limits
  const late = new Error(`no complete answer within ${showSeconds(timeoutMs)}`)
  const { signal, stop } = timeoutClock(context.signal, timeoutMs, late)
  try {
    return await follow(request, sender, judge, { signal, visit })
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof SvcError) throw error
    if (error instanceof BodyProblem) throw bodyProblem(request, sender, error)
    const failure = networkFailure(request, sender, error)
    if (isPermanent(error)) throw failure
    return { failure, waitMs: undefined }
  } finally {
    stop()
    visit.leave()
  }
}

async function follow(
  request: PageRequest,
  sender: Sender,
  judge: Judge,
  { signal, visit }: { readonly signal: AbortSignal; readonly visit: Visit },
): Promise<Outcome> {
  let url = request.url
  let { method } = sender.template
  let body = request.body
  for (let hops = 0; hops <= maxRedirects; hops++) {
    sender.allow(url, hops === 0 ? 'the next page' : 'a redirect')
    const answer = await answerTo({ ...request, url, body }, method, sender, signal)
    const headers = plainHeaders(answer.headers)
    if (url.origin === request.url.origin) visit.heard(answer.statusCode, headers, sender.context.now())
    const leadsOn = request.followsNone !== true && redirects.includes(answer.statusCode)
    const target = leadsOn ? headers['location'] : undefined
    if (target === undefined) return await judge(request, url, answer, headers, sender)
    await answer.body.dump()
    const next = parseUrl(target, url)
    if (next === undefined)
      throw new SvcError('http-failed', `${page(request, sender)}: a redirect without an address`, {
        hint: elsewhere,
      })
    if (answer.statusCode === 303 || (method === 'POST' && answer.statusCode < 303)) {
      method = 'GET'
      body = undefined
    }
    url = withoutParameters(next, sender.template)
  }
  throw new SvcError('http-failed', `${page(request, sender)}: more than ${maxRedirects} redirects`, {
    hint: elsewhere,
  })
}

const elsewhere =
  'Look at the address with curl -iL, and write the one that answers as ingest.endpoint and ingest.resource.'

/** Where the service does not take a pass any more, there is one new login. */
async function answerTo(
  request: PageRequest,
  method: 'GET' | 'POST',
  sender: Sender,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { logins, template } = sender
  const isFile = request.what !== undefined
  const once = (pass: Pass | undefined) =>
    logged(request.url, method, sender, () =>
      ask(request.url, method, request.body, { ...request, isFile, pass }, sender, signal),
    )
  if (logins === undefined || request.url.origin !== template.url.origin) return once(undefined)
  const pass = await logins.current()
  const answer = await once(pass)
  if (!logins.refusedBy.includes(answer.statusCode)) return answer
  await answer.body.dump()
  logins.refused(pass)
  return once(await logins.current())
}
