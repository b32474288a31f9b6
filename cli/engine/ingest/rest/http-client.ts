/**
 * Sends the requests of one source: persistent connections, rate limit, timeout, retries with backoff,
 * redirects. A request never leaves the origin of the endpoint unless the asset allows the host, and
 * credentials are never sent elsewhere (decisions 3). This module knows nothing about pages and records.
 */
import { join } from 'node:path'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { SvcError } from '../../errors.ts'
import { type SaveOptions, saveBody } from '../remote/save-body.ts'
import type { FetchContext, IngestOf } from '../source.ts'
import { type AccessTokens, createAccessTokens } from './access-token.ts'
import { type Body, BodyProblem, readBody } from './body.ts'
import { inWords, reasonOf } from './network-words.ts'
import { createPace, type Pace, wait } from './pace.ts'
import { parseUrl, type RequestTemplate } from './request-template.ts'
import {
  actionFor,
  askedToWaitMs,
  type Backoff,
  backoffMs,
  exhaustedForMs,
  type StatusAction,
} from './retry.ts'

export interface PageRequest {
  /** The address without the parameters of the authentication. */
  readonly url: URL
  /** The JSON text of a POST body. */
  readonly body: string | undefined
  /** The number of the request from 1, for messages. */
  readonly number: number
  /** What is asked for, if it is no page. */
  readonly what?: string
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

export type SaveTarget = Pick<SaveOptions, 'path' | 'atMost' | 'onBytes'>

export interface HttpClientOptions {
  readonly ingest: IngestOf<'rest_api'>
  readonly template: RequestTemplate
  readonly context: FetchContext
  readonly backoff: Backoff
  /** The longest pause that a server may ask for. */
  readonly maxPauseMs: number
  readonly note: (text: string) => void
}

const maxRedirects = 10
const redirects = [301, 302, 303, 307, 308]

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { ingest, template, context } = options
  const dispatcher = createDispatcher(ingest.limits.concurrency, context.env)
  const pace = createPace(ingest.limits.ratePerSecond)
  const allow = (url: URL, why: string) => refuseOtherHosts(url, why, options)
  const show = (url: URL) => shownAddress(url, template)
  const closing = new AbortController()
  const tokens = tokensOf(options)
  const sender: Sender = { ...options, dispatcher, pace, allow, show, tokens, closed: closing.signal }
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
      await Promise.all([dispatcher.destroy(), tokens?.close()])
    },
  }
}

interface ClosableTokens extends AccessTokens {
  close(): Promise<void>
}

/** The token server is asked as any other: with retries, limits and a line in the log, which has no form. */
function tokensOf(options: HttpClientOptions): ClosableTokens | undefined {
  const { token, ...template } = options.template
  if (token === undefined) return undefined
  const { url, headers, form } = token
  const { secrets } = template
  const client = createHttpClient({
    ...options,
    ingest: { ...options.ingest, onStatus: {}, allowHosts: [] },
    template: { method: 'POST', url, headers, secretParameters: {}, body: undefined, secrets },
  })
  const request = { url, body: form, number: 1, what: 'the token' }
  const shown = client.show(url)
  const { now } = options.context
  return {
    ...createAccessTokens(() => client.send(request), { secrets, now, shown }),
    close: () => client.close(),
  }
}

interface Sender extends HttpClientOptions {
  readonly dispatcher: Dispatcher
  /** Aborted when nobody waits for responses any more. */
  readonly closed: AbortSignal
  readonly pace: Pace
  readonly tokens: AccessTokens | undefined
  readonly allow: HttpClient['allow']
  readonly show: HttpClient['show']
}

export function createDispatcher(connections: number, env: FetchContext['env']): Dispatcher {
  const pool = { connections, pipelining: 1, keepAliveTimeout: 30_000 }
  const httpProxy = env['http_proxy'] ?? env['HTTP_PROXY']
  const httpsProxy = env['https_proxy'] ?? env['HTTPS_PROXY']
  if (!httpProxy && !httpsProxy) return new Agent(pool)
  const noProxy = `localhost,127.0.0.1,::1,${env['no_proxy'] ?? env['NO_PROXY'] ?? ''}`
  return new EnvHttpProxyAgent({
    ...pool,
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    noProxy,
  })
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
    if (outcome.waitMs !== undefined) sender.pace.pause(waitMs)
    else await wait(waitMs, AbortSignal.any([sender.context.signal, sender.closed]))
  }
}

type Outcome =
  | { readonly response: PageResponse }
  | { readonly failure: SvcError; readonly waitMs: number | undefined }

/** Returns the last failure, with the number of tries and the pause that the server asked for. */
function givenUp({ failure, waitMs }: Extract<Outcome, { failure: SvcError }>, tries: number): SvcError {
  const asked =
    waitMs === undefined || waitMs < 1000
      ? failure.hint
      : `The server asks to wait ${showSeconds(waitMs)}: run again then, or lower limits.rate.`
  return new SvcError(failure.code, tries === 1 ? failure.message : `${failure.message} (${tries} tries)`, {
    ...(asked === undefined ? {} : { hint: asked }),
    cause: failure.cause,
  })
}

async function sendOnce(request: PageRequest, sender: Sender, judge: Judge): Promise<Outcome> {
  const { context, ingest } = sender
  await sender.pace.turn(context.signal)
  const { signal, release } = limited(context.signal, ingest.limits.timeoutMs)
  try {
    return await follow(request, sender, judge, signal)
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof SvcError) throw error
    if (error instanceof BodyProblem) throw bodyProblem(request, sender, error)
    const failure = networkFailure(request, sender, error)
    if (isPermanent(error)) throw failure
    return { failure, waitMs: undefined }
  } finally {
    release()
  }
}

/** Returns a signal that aborts with the run or when the timeout of a request has passed. */
function limited(outer: AbortSignal, timeoutMs: number): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const stop = () => controller.abort(outer.reason)
  // Who was interrupted before this request hears of it no more.
  if (outer.aborted) stop()
  outer.addEventListener('abort', stop, { once: true })
  const reason = new Error(`no complete answer within ${showSeconds(timeoutMs)}`)
  const timer = setTimeout(() => controller.abort(reason), timeoutMs)
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer)
      outer.removeEventListener('abort', stop)
    },
  }
}

async function follow(
  request: PageRequest,
  sender: Sender,
  judge: Judge,
  signal: AbortSignal,
): Promise<Outcome> {
  let url = request.url
  let { method } = sender.template
  let body = request.body
  for (let hops = 0; hops <= maxRedirects; hops++) {
    sender.allow(url, hops === 0 ? 'the next page' : 'a redirect')
    const answer = await answerTo({ ...request, url, body }, method, sender, signal)
    const headers = plainHeaders(answer.headers)
    const target = redirects.includes(answer.statusCode) ? headers['location'] : undefined
    if (target === undefined) return await judge(request, url, answer, headers, sender)
    await answer.body.dump()
    const next = parseUrl(target, url)
    if (next === undefined)
      throw new SvcError('http-failed', `${page(request, sender)}: a redirect without an address`)
    if (answer.statusCode === 303 || (method === 'POST' && answer.statusCode < 303)) {
      method = 'GET'
      body = undefined
    }
    url = withoutParameters(next, sender.template)
  }
  throw new SvcError('http-failed', `${page(request, sender)}: more than ${maxRedirects} redirects`)
}

/** A token that the service does not take any more is replaced once. */
async function answerTo(
  request: PageRequest,
  method: 'GET' | 'POST',
  sender: Sender,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { tokens, template } = sender
  const isFile = request.what !== undefined
  const once = (token: string | undefined) =>
    logged(request.url, method, sender, () =>
      ask(request.url, method, request.body, { isFile, token }, sender, signal),
    )
  if (tokens === undefined || request.url.origin !== template.url.origin) return once(undefined)
  const token = await tokens.current()
  const answer = await once(token)
  if (answer.statusCode !== 401) return answer
  await answer.body.dump()
  tokens.refused(token)
  return once(await tokens.current())
}

/** Logs a request with its address, duration and status. */
async function logged(
  url: URL,
  method: string,
  { context, show, template }: Sender,
  work: () => Promise<Dispatcher.ResponseData>,
): Promise<Dispatcher.ResponseData> {
  if (context.onRequest === undefined) return work()
  const started = performance.now()
  const entry = () => ({ method, url: show(url), seconds: (performance.now() - started) / 1000 })
  try {
    const answer = await work()
    context.onRequest({ ...entry(), status: answer.statusCode })
    return answer
  } catch (error) {
    context.onRequest({ ...entry(), error: template.secrets.hide(reasonOf(error)) })
    throw error
  }
}

/** Sends a request. Credentials and the asset's own headers are sent to the endpoint's origin only. */
async function ask(
  url: URL,
  method: 'GET' | 'POST',
  body: string | undefined,
  { isFile, token }: { readonly isFile: boolean; readonly token: string | undefined },
  { template, dispatcher }: Sender,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const own = url.origin === template.url.origin
  const address = new URL(url)
  const headers: Record<string, string> = {
    accept: isFile ? '*/*' : 'application/json, application/x-ndjson;q=0.9, */*;q=0.5',
    'accept-encoding': isFile ? 'identity' : 'gzip, br',
    'user-agent': 'svc',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(own ? template.headers : {}),
    ...(own && token !== undefined ? { authorization: `Bearer ${token}` } : {}),
  }
  if (own) {
    for (const [name, value] of Object.entries(template.secretParameters))
      address.searchParams.set(name, value)
    if (address.username === '') address.username = template.url.username
    if (address.password === '') address.password = template.url.password
  }
  if (address.username !== '' || address.password !== '') {
    const pair = `${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`
    if (own) headers['authorization'] ??= `Basic ${Buffer.from(pair).toString('base64')}`
    address.username = ''
    address.password = ''
  }
  return await dispatcher.request({
    origin: address.origin,
    path: address.pathname + address.search,
    method,
    headers,
    body: body ?? null,
    signal,
    // svc's own timeout covers the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** What is made of a response that is no redirect. */
type Judge = (
  request: PageRequest,
  url: URL,
  answer: Dispatcher.ResponseData,
  headers: Headers,
  sender: Sender,
) => Promise<Outcome>

/** A body that a success has is written to a file; all others say what is wrong. */
function savingTo(target: SaveTarget, saved: { isWhole: boolean }): Judge {
  return async (request, url, answer, headers, sender) => {
    const { statusCode: status } = answer
    if (status !== 200) return judge(request, url, answer, headers, sender)
    const encoding = headers['content-encoding']
    saved.isWhole = await saveBody(answer.body, { ...target, encoding, limits: sender.ingest.limits })
    return { response: { request, url, status, action: 'ok', headers, body: undefined } }
  }
}

async function judge(
  request: PageRequest,
  url: URL,
  answer: Dispatcher.ResponseData,
  headers: Headers,
  sender: Sender,
): Promise<Outcome> {
  const status = answer.statusCode
  const action = actionFor(status, sender.ingest.onStatus)
  const now = sender.context.now()
  const exhaustedMs = exhaustedForMs(headers, now)
  if (exhaustedMs !== undefined && exhaustedMs <= sender.maxPauseMs) sender.pace.pause(exhaustedMs)
  if (action === 'skip' || action === 'end' || status === 204) {
    await answer.body.dump()
    return { response: { request, url, status, action, headers, body: undefined } as PageResponse }
  }
  const body = await readBody(answer.body, {
    encoding: headers['content-encoding'],
    contentType: headers['content-type'],
    limits: sender.ingest.limits,
    overflowPath: join(sender.context.spoolFolder, `body-${request.number}`),
  })
  if (action === 'ok') return { response: { request, url, status, action, headers, body } }
  const failure = statusFailure(request, status, body, sender)
  if (action === 'fail') throw failure
  return { failure, waitMs: askedToWaitMs(headers, now) }
}

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
}

function refuseOtherHosts(url: URL, why: string, { ingest, template }: HttpClientOptions): void {
  const { origin, host } = template.url
  if (url.origin === origin) return
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && template.url.protocol === 'http:')
  if (isWeb && ingest.allowHosts.some(allowed => allowed === url.host || allowed === url.hostname)) return
  const start = `${why} leads from ${url.host === host ? origin : host}`
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new SvcError('host-not-allowed', `${start} to an address that starts with ${url.protocol}`, {
      hint: 'Only addresses with http: and https: are followed: tell the owner of the service.',
    })
  }
  throw new SvcError('host-not-allowed', `${start} to ${url.host === host ? url.origin : url.host}`, {
    hint: isWeb
      ? `If that is right, write ingest.allow_hosts: [${url.host}]; credentials are not sent there.`
      : `Write ingest.endpoint with ${url.protocol}// if that is where it is.`,
  })
}

/**
 * Removes the parameters of the authentication from a redirect, because svc adds them itself where they may
 * be sent.
 */
function withoutParameters(url: URL, template: RequestTemplate): URL {
  for (const name of Object.keys(template.secretParameters)) url.searchParams.delete(name)
  return url
}

function shownAddress(url: URL, template: RequestTemplate): string {
  const shown = withoutParameters(new URL(url), template)
  shown.username = ''
  shown.password = ''
  return template.secrets.hide(shown.href)
}

function page(request: PageRequest, sender: Pick<Sender, 'show'>): string {
  return `${request.what ?? `page ${request.number}`} (${sender.show(request.url)})`
}

function networkFailure(request: PageRequest, sender: Sender, error: unknown): SvcError {
  const { reason, hint } = inWords(error)
  const message = `${page(request, sender)}: ${sender.template.secrets.hide(reason)}`
  return new SvcError('http-failed', message, { hint, cause: error })
}

/** Returns whether a retry cannot help: an untrusted certificate, or a header that cannot be sent. */
function isPermanent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === 'UND_ERR_INVALID_ARG' || /CERT|^ERR_TLS|UNABLE_TO_VERIFY/.test(code)
}

function statusFailure(request: PageRequest, status: number, body: Body, sender: Sender): SvcError {
  const said = excerpt(body, sender)
  return new SvcError(
    'http-status',
    `${page(request, sender)}: status ${status}${said === '' ? '' : `, ${said}`}`,
    {
      hint: hintFor(status),
    },
  )
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return 'Check ingest.auth and the credentials in the environment.'
  if (status === 404) return 'Check ingest.endpoint and ingest.resource.'
  if (status === 429) return 'Lower limits.rate, or raise limits.retries.'
  if (status >= 500)
    return 'The server failed: run again later, or say with ingest.on_status what to do about it.'
  return 'Say with ingest.on_status what to do about it: retry, skip, end or fail.'
}

/** Returns the beginning of a body as one short line. */
export function excerpt(body: Body, { template }: { readonly template: RequestTemplate }): string {
  const text = template.secrets.hide(body.head.toString('utf8')).replace(/\s+/g, ' ').trim()
  if (text === '') return ''
  return `it says ${JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)}`
}

function bodyProblem(request: PageRequest, sender: Sender, problem: BodyProblem): SvcError {
  return new SvcError('http-body', `${page(request, sender)} ${problem.message}`, { cause: problem })
}

function showSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds >= 5400) return `${Number((seconds / 3600).toFixed(1))} h`
  if (seconds >= 90) return `${Number((seconds / 60).toFixed(1))} min`
  return seconds >= 10 ? `${Math.round(seconds)} s` : `${Number(seconds.toFixed(1))} s`
}
