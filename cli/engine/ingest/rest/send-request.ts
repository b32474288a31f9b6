/** One request over the network: its headers and parameters, and its line in the log. */
import type { Dispatcher } from 'undici'
import type { PageRequest, Sender } from './http-client.ts'
import type { Pass } from './login.ts'
import { reasonOf } from './network-words.ts'
import { basicLogin } from './parse-url.ts'

/** Logs a request with its address, duration and status. */
export async function logged(
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

interface Asking extends Pick<PageRequest, 'headers'> {
  readonly isFile: boolean
  readonly pass: Pass | undefined
  readonly marks?: PageRequest['marks']
}

function conditions(marks: PageRequest['marks']): Record<string, string> {
  const { etag, lastModified } = marks ?? {}
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
}

/** Sends a request. Credentials and the asset's own headers are sent to the endpoint's origin only. */
export async function ask(
  url: URL,
  method: 'GET' | 'POST',
  body: string | undefined,
  { isFile, pass, marks, headers: ofPage }: Asking,
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
    ...(own ? ofPage : {}),
    ...(own ? pass?.headers : {}),
    ...(own ? conditions(marks) : {}),
  }
  if (own) {
    for (const [name, value] of Object.entries({ ...template.secretParameters, ...pass?.parameters }))
      address.searchParams.set(name, value)
    if (address.username === '') address.username = template.url.username
    if (address.password === '') address.password = template.url.password
  }
  if (address.username !== '' || address.password !== '') {
    if (own) headers['authorization'] ??= basicLogin(address)
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
