/** Asks a service that speaks S3: signed requests, retries, limits. It follows no redirect, so that no key goes elsewhere. */
import { AwsV4Signer } from 'aws4fetch'
import type { Dispatcher } from 'undici'
import { SvcError } from '../errors.ts'
import { saveBody } from '../ingest/remote/save-body.ts'
import { BodyProblem } from '../ingest/rest/body.ts'
import { createDispatcher } from '../ingest/rest/dispatcher.ts'
import type { SaveTarget } from '../ingest/rest/download.ts'
import { plainHeaders } from '../ingest/rest/judge-response.ts'
import { inWords } from '../ingest/rest/network-words.ts'
import { createPace, type Pace, pauseAfter } from '../ingest/rest/pace.ts'
import { askedToWaitMs, type Backoff, backoffMs, usualBackoff } from '../ingest/rest/retry.ts'
import { IdleTooLong, type TimeoutClock, timeoutClock } from '../ingest/rest/timeout-clock.ts'
import type { RequestEntry } from '../ingest/source.ts'
import { isPassing, type S3Answer, s3Failure } from './failures.ts'
import type { S3Place } from './place.ts'

export interface S3Options {
  readonly place: S3Place
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly limits: S3Limits
  readonly note: (text: string) => void
  readonly onRequest?: ((entry: RequestEntry) => void) | undefined
  /** Absent for the usual waits. */
  readonly backoff?: Backoff
}

export interface S3Limits {
  readonly retries: number
  readonly concurrency: number
  readonly ratePerSecond?: number
  /** How long a request may bring no byte. */
  readonly timeoutMs: number
}

export interface S3Ask {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The key of an object; absent for the bucket. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** What is asked for, in messages; absent for the object or the bucket. */
  readonly what?: string
}

export type S3Client = ReturnType<typeof s3Client>

/** No answer that is read as text is longer: a list has a thousand keys of a thousand characters. */
const longestText = 16 << 20

export function s3Client(options: S3Options) {
  const { place, limits } = options
  const dispatcher = createDispatcher(limits.concurrency, options.env)
  const sender: Sender = { ...options, dispatcher, pace: createPace(limits.ratePerSecond) }
  return {
    place,
    /** Returns an answer that is a success and is short. Throws SvcError for all others. */
    ask: (request: S3Ask) => send(request, sender, async ({ answer }) => answer),
    /** Writes an object to a file, and returns whether it is the whole. */
    async save(key: string, etag: string | undefined, target: SaveTarget & { readonly bodyBytes: number }) {
      const { path, atMost, onBytes, bodyBytes } = target
      const headers = {
        ...(etag !== undefined && { 'if-match': etag }),
        ...(atMost !== undefined && { range: `bytes=0-${atMost - 1}` }),
      }
      return await send({ method: 'GET', key, headers }, sender, async ({ answer, body, touch }) => {
        const limited = { bodyBytes: atMost === undefined ? bodyBytes : Number.POSITIVE_INFINITY }
        const seen = (more: number) => {
          touch()
          onBytes(more)
        }
        const saving = { path, atMost, encoding: undefined, limits: limited, onBytes: seen }
        return (await saveBody(body, saving)) && isWholeRange(answer)
      })
    },
    close: () => dispatcher.destroy(),
  }
}

/** A part of an object says which part it is: `bytes 0-9/10` is the whole. */
function isWholeRange({ status, headers }: S3Answer): boolean {
  if (status !== 206) return true
  const [, last = '', size = ''] = /^bytes 0-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  return Number(last) + 1 === Number(size)
}

interface Sender extends S3Options {
  readonly dispatcher: Dispatcher
  readonly pace: Pace
}

interface Arrived {
  readonly answer: S3Answer
  readonly body: Dispatcher.ResponseData['body']
  /** Call this whenever something has come. */
  readonly touch: () => void
}

type Use<T> = (arrived: Arrived) => Promise<T>

async function send<T>(request: S3Ask, sender: Sender, use: Use<T>): Promise<T> {
  const { limits, backoff = usualBackoff } = sender
  for (let tries = 1; ; tries++) {
    const outcome = await once(request, sender, use)
    if ('value' in outcome) return outcome.value
    const { failure, isPassing, waitMs } = outcome
    if (!isPassing || tries > limits.retries)
      throw tries === 1 ? failure : failure.retold(`${failure.message} (${tries} tries)`)
    await pauseAfter(failure, tries, waitMs ?? backoffMs(tries, backoff), sender)
  }
}

type Outcome<T> =
  | { readonly value: T }
  | { readonly failure: SvcError; readonly isPassing: boolean; readonly waitMs?: number | undefined }

async function once<T>(request: S3Ask, sender: Sender, use: Use<T>): Promise<Outcome<T>> {
  const { place, signal, limits } = sender
  await sender.pace.turn(signal)
  const clock = timeoutClock(signal, limits.timeoutMs, new IdleTooLong(limits.timeoutMs))
  const what = request.what ?? shownKey(place, request.key)
  try {
    const arrived = await answerTo(request, sender, clock)
    const { answer } = arrived
    // Who asks whether an object is there is answered so, too.
    const isMissing = request.method === 'HEAD' && answer.status === 404
    const isSuccess = isMissing || (answer.status >= 200 && answer.status < 300)
    if (isSuccess && !isHiddenError(answer)) return { value: await use(arrived) }
    const waitMs = askedToWaitMs(answer.headers, sender.now())
    return { failure: s3Failure(place, answer, what), isPassing: isPassing(answer), waitMs }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SvcError) throw error
    if (error instanceof BodyProblem)
      throw new SvcError('http-body', `${what} ${error.message}`, { cause: error })
    const { reason } = inWords(error)
    const failure = new SvcError('http-failed', `${what}: ${place.hide(reason)}`, {
      hint: `Check that ${place.service.origin} is the service, and that it runs.`,
      cause: error,
    })
    return { failure, isPassing: !isLasting(error) }
  } finally {
    clock.stop()
  }
}

/** The service has said 200 before it was done, and then it failed. */
function isHiddenError({ text }: S3Answer): boolean {
  return /^\s*(<\?xml[^>]*>\s*)?<Error[ >]/.test(text)
}

function isLasting(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /CERT|^ERR_TLS|UNABLE_TO_VERIFY|UND_ERR_INVALID_ARG/.test(code)
}

async function answerTo(request: S3Ask, sender: Sender, clock: TimeoutClock): Promise<Arrived> {
  const { place, onRequest } = sender
  const started = performance.now()
  const { url, headers } = await signed(request, sender)
  const entry = () => ({
    method: request.method,
    url: url.href,
    seconds: (performance.now() - started) / 1000,
  })
  const {
    statusCode,
    headers: came,
    body,
  } = await sender.dispatcher
    .request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers,
      body: request.body ?? null,
      signal: clock.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    .catch((error: unknown) => {
      onRequest?.({ ...entry(), error: place.hide(String(error instanceof Error ? error.message : error)) })
      throw error
    })
  clock.touch()
  onRequest?.({ ...entry(), status: statusCode })
  const isObject = request.method === 'GET' && request.key !== undefined && statusCode < 300
  const text = isObject ? '' : await textOf(body, clock)
  return { answer: { status: statusCode, headers: plainHeaders(came), text }, body, touch: clock.touch }
}

async function textOf(body: Dispatcher.ResponseData['body'], clock: TimeoutClock): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    clock.touch()
    length += chunk.length
    if (length > longestText) throw new BodyProblem('is longer than any answer of S3')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function signed({ method, key, query = {}, headers = {}, body }: S3Ask, { place, now }: Sender) {
  const url = addressOf(place, key)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  // A blank is %20 in a signature, not the plus of forms.
  url.search = url.search.replaceAll('+', '%20')
  const all = { 'user-agent': 'svc', ...headers }
  if (place.keys === undefined) return { url, headers: all }
  const signer = new AwsV4Signer({
    ...{ method, url: url.href, headers: all, body: body ?? null, ...place.keys },
    service: 's3',
    region: place.region,
    datetime: now()
      .toISOString()
      .replace(/[:-]|\.\d{3}/g, ''),
  })
  const result = await signer.sign()
  return { url, headers: Object.fromEntries(result.headers as Headers) }
}

function addressOf({ service, bucket, isPathStyle }: S3Place, key: string | undefined): URL {
  const base = service.pathname.replace(/\/+$/, '')
  const url = new URL(service)
  const path = key === undefined ? '' : key.split('/').map(encoded).join('/')
  if (isPathStyle) url.pathname = `${base}/${encoded(bucket)}${key === undefined ? '' : `/${path}`}`
  else {
    url.hostname = `${bucket}.${service.hostname}`
    url.pathname = `${base}/${path}`
  }
  return url
}

function encoded(step: string): string {
  return encodeURIComponent(step).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export function shownKey({ bucket }: S3Place, key: string | undefined): string {
  return `s3://${bucket}${key === undefined ? '' : `/${key}`}`
}
