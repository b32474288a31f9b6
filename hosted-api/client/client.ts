/**
 * A client of the hosted service, typed by its routes. After a network failure, 429 or 502 to 504 it retries
 * reads, and writes with one `Idempotency-Key`. It waits for another request that is in progress, as long as the service says
 * and within a bound; it never retries after any other answer.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { HostedError, type ProblemAnswer, Unreachable, UnreadableAnswer } from './errors.ts'
import type { Input, Operation } from './operations.ts'

export interface ClientOptions {
  /** `https://host[:port][/prefix]`. */
  readonly url: string
  readonly token: string
  readonly fetch?: typeof fetch
  /** The timeout of one try in milliseconds. */
  readonly timeout?: number
  /** The number of retries after the first try. */
  readonly retries?: number
  /** Waits for this many milliseconds, or until the signal; replaced in tests. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  /** Called once when a call begins to wait for another request that is in progress. */
  readonly onWait?: (problem: ProblemAnswer) => void
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Compresses a body of more than 1 kB. */
  readonly compress?: boolean
  /** Generated if it is left out. */
  readonly idempotencyKey?: string
  readonly ifMatch?: string
}

export interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  readonly data: T
}

const standardTimeout = 60_000
const standardRetries = 4
const longestWait = 60_000
/** Milliseconds in all for another request that is in progress: a service takes over from a dead one after a minute. */
const longestTurn = 120_000
const compressFrom = 1024
const repeatable = new Set([429, 502, 503, 504])

export function createHostedClient(options: ClientOptions) {
  const { retries = standardRetries, sleep = wait } = options

  async function call<Takes extends Input, Gives>(
    operation: Operation<Takes, Gives>,
    input: Takes,
    callOptions: CallOptions = {},
  ): Promise<Answer<Gives>> {
    const request = await prepare(operation, input, options, callOptions)
    const { signal } = callOptions
    let [tries, waited] = [0, 0]
    for (;;) {
      try {
        return (await ask(request, options, signal)) as Answer<Gives>
      } catch (error) {
        const turn = turnAfter(error)
        const next = turn ?? (tries < retries ? pauseBefore(error, tries) : undefined)
        if (next === undefined || waited + (turn ?? 0) > longestTurn || signal?.aborted) throw error
        if (turn === undefined) tries++
        else if (waited === 0 && error instanceof HostedError) options.onWait?.(error.problem)
        waited += turn ?? 0
        await sleep(next, signal)
      }
    }
  }
  return {
    /**
     * @throws HostedError (the service refused), Unreachable, UnreadableAnswer (the answer is not from the
     * service)
     */
    call,
  }
}

interface Prepared {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer> | undefined
}

/** All tries send the same request: the key is generated once, and the body is compressed once. */
async function prepare(
  { method, path }: Operation,
  { path: params = {}, query = {}, body }: Input,
  { url, token }: ClientOptions,
  { compress = false, idempotencyKey, ifMatch }: CallOptions,
): Promise<Prepared> {
  const writes = method !== 'GET'
  const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const packed =
    compress && text !== undefined && text.length > compressFrom ? await promisify(gzip)(text) : undefined
  return {
    url: `${url.replace(/\/+$/, '')}${filled(path, params)}${queryText(query)}`,
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, application/problem+json',
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(packed === undefined ? {} : { 'Content-Encoding': 'gzip' }),
      ...(writes ? { 'Idempotency-Key': `"${idempotencyKey ?? randomUUID()}"` } : {}),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
    },
    body: packed === undefined && text === undefined ? undefined : Uint8Array.from(packed ?? text ?? []),
  }
}

function filled(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}

async function ask(
  request: Prepared,
  { url, fetch: send = fetch, timeout = standardTimeout }: ClientOptions,
  signal: AbortSignal | undefined,
): Promise<Answer<unknown>> {
  const deadline = AbortSignal.timeout(timeout)
  const { body, ...rest } = request
  let response: Response
  let text: string
  try {
    response = await send(request.url, {
      ...rest,
      ...(body === undefined ? {} : { body }),
      // Following a redirect would send the token to another host.
      redirect: 'manual',
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    })
    text = await response.text()
  } catch (error) {
    throw new Unreachable(
      url,
      deadline.aborted ? `no answer within ${timeout / 1000} s` : reasonOf(error),
      error,
    )
  }
  const data = parsed(text)
  if (response.ok && (data !== undefined || text === ''))
    return { status: response.status, headers: response.headers, data }
  throw isProblem(data)
    ? new HostedError(data, response.headers)
    : new UnreadableAnswer(url, response.status, response.headers, text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProblem(data: unknown): data is ProblemAnswer {
  return typeof data === 'object' && data !== null && 'code' in data && 'detail' in data && 'status' in data
}

/** Returns the milliseconds that the service says while another request is in progress; undefined if none is. */
function turnAfter(error: unknown): number | undefined {
  if (!(error instanceof HostedError) || error.code !== 'request_in_progress') return undefined
  const seconds = Number(error.headers.get('retry-after'))
  return seconds > 0 ? seconds * 1000 : undefined
}

/** Returns milliseconds until the next try; undefined if a retry would not help. */
function pauseBefore(error: unknown, tries: number): number | undefined {
  const backoff = Math.min(longestWait, 500 * 2 ** tries) * (0.5 + Math.random() / 2)
  if (error instanceof Unreachable) return backoff
  if (!(error instanceof HostedError || error instanceof UnreadableAnswer) || !repeatable.has(error.status))
    return undefined
  const asked = Number(error.headers.get('retry-after')) * 1000
  // A long pause that the server asks for is not waited for.
  return asked > longestWait ? undefined : Math.max(backoff, asked || 0)
}

/** `fetch` says only "fetch failed"; the reason is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const code = cause instanceof Error ? ((cause as { code?: string }).code ?? cause.message) : undefined
  return code ?? error.message
}

/** After the signal the next try says that it was stopped. */
async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => {})
}
