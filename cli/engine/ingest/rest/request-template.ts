/**
 * The requests of a REST source as its asset describes them: address, parameters, headers, body, credentials.
 * This module knows nothing about pages.
 */
import {
  fillParent,
  type JsonScalar,
  type JsonValue,
  nodeAt,
  onlyPlaceholder,
  type RestAuth,
} from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import {
  collectSecrets,
  credentialsOf,
  requiredCredentials,
  resolveAddress,
  resolveSecret,
  resolveText,
  type Secrets,
  variableOf,
} from '../credentials.ts'
import { type CursorWindow, cursorText } from '../incremental/cursor-text.ts'
import type { FetchContext, IngestOf, ParentRow, ParentValue } from '../source.ts'
import { tokenRequest } from './access-token.ts'
import { filledBody } from './filled-body.ts'
import type { LoginRequest } from './login.ts'
import { parseUrl } from './parse-url.ts'
import { sessionLogin } from './session-login.ts'

export interface RequestTemplate {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** The headers of the asset and of its authentication, which are sent to the endpoint's own origin only. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The query parameters of the authentication, which are added to every address of the origin and never
   * shown.
   */
  readonly secretParameters: Readonly<Record<string, string>>
  readonly body: JsonValue | undefined
  /** How to get the pass that requests to the endpoint's own origin carry; absent where nobody logs in. */
  readonly login?: LoginRequest
  readonly secrets: Secrets
}

type RestIngest = IngestOf<'rest_api'>

/**
 * Without the values of a row, placeholders of `for_each` stay as they are written. `window`: the part of the cursor that the
 * first request asks for.
 */
export function requestTemplate(
  ingest: RestIngest,
  context: FetchContext,
  window?: CursorWindow,
): RequestTemplate {
  const secrets = collectSecrets()
  const { url, body } = addressAndBody(ingest, context, secrets, { window })
  const { resolve, isOpen } = resolver(ingest, context, secrets, window)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(ingest.headers)) {
    if (isOpen(value)) continue
    headers[name.toLowerCase()] = resolve(value, `ingest.headers.${name}`)
  }
  const { env, asset } = context
  const { headers: authHeaders, ...others } = authentication(authOf(ingest, context), {
    at: 'ingest',
    env,
    secrets,
    credentials: what => requiredCredentials(asset, env, what),
  })
  const { method } = ingest
  return { method, url, headers: { ...headers, ...authHeaders }, ...others, body, secrets }
}

/** What one request of many is about: a row of the asset of `for_each`, or a part of the cursor. */
export interface Asked {
  readonly row?: ParentRow
  readonly window?: CursorWindow | undefined
}

/** Returns the template of one request of many. */
export function templateFor(
  asked: Asked,
  template: RequestTemplate,
  ingest: RestIngest,
  context: FetchContext,
): RequestTemplate {
  // The secrets are known already.
  return { ...template, ...addressAndBody(ingest, context, collectSecrets(), asked) }
}

/** Returns how a written text becomes one that is sent, and which are not sent at all. */
function resolver(ingest: RestIngest, context: FetchContext, secrets: Secrets, window?: CursorWindow) {
  const cursor = cursorText(ingest, context, window)
  const resolve = (written: string, what: string) =>
    resolveSecret(cursor.fill(written, what), context.env, what, secrets)
  return { resolve, isOpen: cursor.isOpen, fill: cursor.fill }
}

function addressAndBody(
  ingest: RestIngest,
  context: FetchContext,
  secrets: Secrets,
  { row, window }: Asked,
): Pick<RequestTemplate, 'url' | 'body'> {
  const { resolve, isOpen, fill } = resolver(ingest, context, secrets, window)
  const endpoint = resolveAddress(ingest.endpoint, context.env, 'ingest.endpoint', secrets)
  const resource = resourceFor(row, fill(ingest.resource, 'ingest.resource'))
  const url = webAddress(endpoint, resource, 'ingest', secrets)
  for (const [name, value] of Object.entries(ingest.params)) {
    if (typeof value === 'string' && isOpen(value)) continue
    const given = resolveValue(value, text => filledText(row, resolve(text, `ingest.params.${name}`)))
    addParameter(url, name, given)
  }
  const bodyText = (text: string) => inBody(row, resolve(text, 'ingest.body'), text, secrets)
  return { url, body: ingest.body === undefined ? undefined : filledBody(ingest.body, bodyText) }
}

/** A value of a row is one step of the path, unless it is the whole: then it is an address of the same host. */
function resourceFor(row: ParentRow | undefined, resource: string): string {
  if (row === undefined) return resource
  const isWhole = onlyPlaceholder(resource) !== undefined
  return fillParent(resource, column => {
    const { text } = valueIn(row, column)
    return isWhole ? text : encodeURIComponent(text)
  })
}

function filledText(row: ParentRow | undefined, text: string): string {
  return row === undefined ? text : fillParent(text, column => valueIn(row, column).text)
}

/** A number of a row stays one where it stands alone. */
function inBody(row: ParentRow | undefined, value: string, written: string, secrets: Secrets): JsonScalar {
  // A secret in a body stands there as JSON writes it.
  if (variableOf(written) !== undefined) secrets.add(JSON.stringify(value).slice(1, -1))
  const column = row === undefined ? undefined : onlyPlaceholder(value)
  if (row === undefined || column === undefined) return filledText(row, value)
  const { text, isPlain } = valueIn(row, column)
  const plain: unknown = isPlain ? JSON.parse(text) : undefined
  return typeof plain === 'boolean' || Number.isSafeInteger(plain) ? (plain as boolean | number) : text
}

export function valueIn(row: ParentRow, column: string): ParentValue {
  const value = row[column]
  if (value === undefined) throw new Error(`the row has no "${column}"`)
  return value
}

/** Returns the address of a resource; `at` is the block of the file that has both. Throws `invalid-project`. */
export function webAddress(endpoint: string, resource: string, at: string, secrets: Secrets): URL {
  const base = parseUrl(endpoint)
  if (base === undefined || (base.protocol !== 'http:' && base.protocol !== 'https:')) {
    throw new SvcError('invalid-project', `${at}.endpoint "${secrets.hide(endpoint)}" is no http address`, {
      hint: 'Write it as https://host/path.',
    })
  }
  if (base.password !== '') secrets.add(decodeURIComponent(base.password))
  const absolute = parseUrl(resource)
  if (absolute !== undefined && /^https?:$/.test(absolute.protocol)) {
    if (absolute.origin === base.origin) return absolute
    throw new SvcError('host-not-allowed', `${at}.resource leads from ${base.host} to ${absolute.host}`, {
      hint: `Write the address of the other host as ${at}.endpoint.`,
    })
  }
  const [path = '', query = ''] = splitOnce(resource, '?')
  const url = new URL(base)
  if (path !== '') url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value)
  return url
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function resolveValue(value: JsonValue, resolve: (text: string) => string): JsonValue {
  if (typeof value === 'string') return resolve(value)
  return Array.isArray(value) ? value.map(item => resolveValue(item, resolve)) : value
}

/** Adds a parameter: lists repeat it, objects are written as JSON, null is left out. */
function addParameter(url: URL, name: string, value: JsonValue): void {
  if (value === null) return
  if (Array.isArray(value)) for (const item of value) url.searchParams.append(name, parameterText(item))
  else url.searchParams.set(name, parameterText(value))
}

function parameterText(value: JsonValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Returns the authentication. Credentials without `auth` are a bearer token; an explicit `auth: none` sends
 * nothing.
 */
function authOf(ingest: RestIngest, context: FetchContext): RestAuth {
  if (ingest.auth.type !== 'none' || nodeAt(context.asset.tree, ['ingest', 'auth']) !== undefined)
    return ingest.auth
  return credentialsOf(context.asset, context.env) === undefined ? ingest.auth : { type: 'bearer' }
}

export interface AuthenticationContext {
  /** The block of the file that has `auth`. */
  readonly at: string
  readonly env: FetchContext['env']
  readonly secrets: Secrets
  /** Returns the credentials for a kind that requires them. */
  readonly credentials: (what: string) => string
}

/** Throws `missing-credentials`. */
export function authentication(
  auth: RestAuth,
  { at, env, secrets, credentials }: AuthenticationContext,
): Pick<RequestTemplate, 'headers' | 'secretParameters' | 'login'> {
  const secret = (given: string | undefined, key: string) => {
    const what = `${at}.auth.${key}`
    return secrets.add(given === undefined ? credentials(what) : resolveText(given, env, what))
  }
  const nothing = { headers: {}, secretParameters: {} }
  if (auth.type === 'none') return nothing
  if (auth.type === 'bearer')
    return { ...nothing, headers: { authorization: `Bearer ${secret(auth.token, 'token')}` } }
  if (auth.type === 'basic') {
    const user = resolveText(auth.username, env, `${at}.auth.username`)
    const pair = `${user}:${secret(auth.password, 'password')}`
    const login = secrets.add(Buffer.from(pair).toString('base64'))
    return { ...nothing, headers: { authorization: `Basic ${login}` } }
  }
  if (auth.type === 'oauth2') return { ...nothing, login: tokenRequest(auth, { at, env, secrets, secret }) }
  if (auth.type === 'session') return { ...nothing, login: sessionLogin(auth, { at, env, secrets }) }
  const value = secret(auth.value, 'value')
  const name = resolveText(auth.name, env, `${at}.auth.name`)
  if (auth.in === 'query') return { ...nothing, secretParameters: { [name]: value } }
  if (auth.in === 'cookie') return { ...nothing, headers: { cookie: `${name}=${value}` } }
  return { ...nothing, headers: { [name.toLowerCase()]: value } }
}
