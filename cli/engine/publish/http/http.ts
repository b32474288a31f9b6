/** A web service: each batch is a request with a key by which the service knows one that comes again. */

import type { RestAuth } from '@svc/server/language'
import type { Dispatcher } from 'undici'
import { parseJson } from '../../artifacts/read-file.ts'
import { SvcError } from '../../errors.ts'
import { resolveSecret, resolveText } from '../../ingest/credentials.ts'
import { createDispatcher } from '../../ingest/rest/dispatcher.ts'
import type { Headers } from '../../ingest/rest/http-client.ts'
import { plainHeaders } from '../../ingest/rest/judge-response.ts'
import type { Logins, Pass } from '../../ingest/rest/login.ts'
import { inWords } from '../../ingest/rest/network-words.ts'
import { basicLogin } from '../../ingest/rest/parse-url.ts'
import { authentication, webAddress } from '../../ingest/rest/request-template.ts'
import { askedToWaitMs } from '../../ingest/rest/retry.ts'
import { optionalCredentials, requiredCredentials } from '../credentials.ts'
import {
  type Batch,
  type DestinationRequest,
  type Field,
  type OpenDestination,
  Passing,
  type Prepared,
  Refused,
  type RowOutcome,
} from '../destination.ts'
import { markedAt } from '../sql-table.ts'
import { hubspot } from './hubspot.ts'
import type { Recipe } from './recipe.ts'
import { rowsRecipe } from './rows.ts'
import { salesforce } from './salesforce.ts'
import { sheets } from './sheets.ts'
import { publishTokens } from './tokens.ts'

const recipes = { rows: rowsRecipe, hubspot, salesforce, sheets } as const satisfies Readonly<
  Record<string, Recipe>
>

export function openHttp(request: DestinationRequest): OpenDestination {
  return new HttpService(request)
}

const mostBody = 16_000_000
const shownBody = 160

class HttpService implements OpenDestination {
  readonly shown: string
  readonly place: string
  readonly #request: DestinationRequest
  readonly #recipe: Recipe
  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #secretParameters: Readonly<Record<string, string>>
  readonly #dispatcher: Dispatcher
  /** Absent where no token expires. */
  readonly #tokens: Logins | undefined

  constructor(request: DestinationRequest) {
    const { target, env, secrets } = request
    const at = `publish.${target.name}`
    this.#request = request
    this.#recipe = recipes[target.recipe ?? 'rows']
    const endpoint = resolveSecret(target.endpoint, env, `${at}.endpoint`, secrets)
    this.#url = webAddress(endpoint, target.resource, at, secrets)
    const { headers, secretParameters, login } = authentication(authOf(request), {
      at,
      env,
      secrets,
      credentials: what => requiredCredentials(target, env, what),
    })
    this.#headers = { ...ownHeaders(request), ...basicOf(this.#url, request), ...headers }
    this.#secretParameters = secretParameters
    this.#dispatcher = createDispatcher(target.limits.concurrency, env)
    this.#tokens =
      login && publishTokens(login, request, (url, what) => this.#exchange(url, what, request.signal))
    const shown = new URL(this.#url)
    shown.username = ''
    shown.password = ''
    this.place = `${shown.href} ${target.recipe ?? 'rows'}`
    this.shown =
      endpoint === target.endpoint
        ? `${shown.origin}${shown.pathname}`
        : `${target.resource} of ${target.endpoint}`
  }

  /** A service is asked nothing before there are rows. */
  async prepare(fields: readonly Field[]): Promise<Prepared> {
    const { recipe, onDelete } = this.#request.target
    if (recipe === 'hubspot' && fields.filter(({ isKey }) => isKey).length !== 1) {
      throw new SvcError(
        'destination-shape',
        'HubSpot knows an object by one property, and publish key has several',
        {
          hint: 'Name one column in publish key.',
        },
      )
    }
    if (recipe === 'salesforce' && onDelete === 'delete') {
      throw new SvcError(
        'destination-shape',
        'the recipe salesforce deletes nothing: it asks for ids of its own',
        {
          hint: 'Write mode: upsert, or on_delete: mark.',
        },
      )
    }
    return { creates: false }
  }

  async send(batch: Batch): Promise<readonly RowOutcome[] | undefined> {
    const { target } = this.#request
    // A row that is only marked is one that changes.
    const operation =
      batch.operation === 'delete' && markedAt(target, batch) !== undefined ? 'update' : batch.operation
    const { rows } = batch
    const isDelete = operation === 'delete'
    const method = isDelete
      ? (target.remove?.method ?? this.#recipe.methods.remove)
      : (target.method ?? this.#recipe.methods.write)
    const body = this.#recipe.body({ target, operation, rows })
    const url = isDelete ? this.#addressOf(target.remove?.resource ?? '') : this.#url
    const { status, text, headers } = await this.#askWithToken(url, method, body, batch)
    if (status >= 200 && status < 300) {
      const answer = { status, body: parseJson(text) }
      return isDelete ? undefined : this.#recipe.outcomes(answer, { target, operation, rows })
    }
    throw this.#failure(status, batch.hide(text), headers)
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy()
  }

  #addressOf(resource: string): URL {
    const { target, env, secrets } = this.#request
    const at = `publish.${target.name}`
    return webAddress(resolveText(target.endpoint, env, at), resource, `${at}.remove`, secrets)
  }

  /** A token that the service does not take any more is replaced once. */
  async #askWithToken(url: URL, method: string, body: string, batch: Batch) {
    if (this.#tokens === undefined) return this.#ask(url, method, body, batch)
    const pass = await this.#tokens.current()
    const answer = await this.#ask(url, method, body, batch, pass)
    if (!this.#tokens.refusedBy.includes(answer.status)) return answer
    this.#tokens.refused(pass)
    return this.#ask(url, method, body, batch, await this.#tokens.current())
  }

  #ask(url: URL, method: string, body: string, { idempotencyKey, signal }: Batch, pass?: Pass) {
    const { target } = this.#request
    const address = new URL(url)
    for (const [name, value] of Object.entries(this.#secretParameters)) address.searchParams.set(name, value)
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'svc',
      [target.idempotencyHeader ?? 'Idempotency-Key']: idempotencyKey,
      ...this.#headers,
      ...pass?.headers,
    }
    return this.#exchange(address, { method: method as Dispatcher.HttpMethod, headers, body }, signal)
  }

  async #exchange(
    address: URL,
    what: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>,
    signal: AbortSignal,
  ) {
    const { target } = this.#request
    const timeout = AbortSignal.timeout(target.limits.timeoutMs)
    try {
      const answer = await this.#dispatcher.request({
        origin: address.origin,
        path: address.pathname + address.search,
        ...what,
        signal: AbortSignal.any([signal, timeout]),
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      return { status: answer.statusCode, text: await bodyOf(answer), headers: plainHeaders(answer.headers) }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof SvcError) throw error
      const { reason, hint } = timeout.aborted
        ? { reason: `no answer within ${target.limits.timeoutMs / 1000} s`, hint: 'Raise limits.timeout.' }
        : inWords(error)
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      const message = `${this.shown}: ${this.#request.secrets.hide(reason)}`
      if (/CERT|^ERR_TLS|UNABLE_TO_VERIFY|^UND_ERR_INVALID_ARG/.test(code))
        throw new SvcError('http-failed', message, { hint: ofPublish(hint), cause: error })
      throw new Passing('http-failed', message, { hint: ofPublish(hint), cause: error })
    }
  }

  /** Nothing in the text is to be hidden any more: what is cut in two would not be found. */
  #failure(status: number, text: string, headers: Headers): Error {
    const { now } = this.#request
    const short = text.replace(/\s+/g, ' ').trim().slice(0, shownBody)
    const said = `status ${status}${short === '' ? '' : `, it says ${JSON.stringify(short)}`}`
    const message = `${this.shown}: ${said}`
    if (status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501)) {
      const waitMs = askedToWaitMs(headers, now())
      return new Passing('http-status', message, { hint: hintFor(status), waitMs })
    }
    const isOfRows = status >= 400 && ![401, 403, 404, 405, 407, 410].includes(status)
    // A redirect of a request with a body leads to nobody knows where.
    return isOfRows ? new Refused(said) : new SvcError('http-status', message, { hint: hintFor(status) })
  }
}

function hintFor(status: number): string {
  if (status === 401 || status === 403)
    return 'Check publish auth and the variable DESTINATION__<TARGET>__CREDENTIALS.'
  if (status === 429) return 'Lower publish limits.rate.'
  if (status >= 500) return 'The service failed.'
  if (status >= 300 && status < 400) return 'Write the address that it leads to as endpoint.'
  return 'Check publish endpoint, resource and method.'
}

function ofPublish(hint: string): string {
  return hint.replaceAll('ingest.endpoint', 'publish endpoint')
}

/** Credentials without `auth` are a bearer token. */
function authOf({ target, env }: DestinationRequest): RestAuth {
  if (target.auth !== undefined) return target.auth
  return optionalCredentials(target, env) === undefined ? { type: 'none' } : { type: 'bearer' }
}

function ownHeaders({ target, env, secrets }: DestinationRequest): Record<string, string> {
  const entries = Object.entries(target.headers ?? {}).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    resolveSecret(value, env, `publish.${target.name}.headers.${name}`, secrets),
  ])
  return Object.fromEntries(entries)
}

/** A user and password in the address go into a header. */
function basicOf(url: URL, { secrets }: DestinationRequest): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const authorization = basicLogin(url)
  secrets.add(authorization.slice('Basic '.length))
  return { authorization }
}

async function bodyOf({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += (chunk as Buffer).length
    if (size > mostBody) throw new SvcError('http-body', `the answer is larger than ${mostBody / 1e6} MB`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
