/** Sends a JSON object by POST: what webhooks of every kind do. Redirects are not followed: the address is the one that was given. */
import type { Dispatcher } from 'undici'
import { resolveText } from '../ingest/credentials.ts'
import { createDispatcher } from '../ingest/rest/dispatcher.ts'
import { inWords } from '../ingest/rest/network-words.ts'
import { basicLogin, parseUrl } from '../ingest/rest/parse-url.ts'
import { askedToWaitMs } from '../ingest/rest/retry.ts'
import { NotSent, type SendTools } from './sender.ts'

const mostOfAnswer = 65_536

export async function postJson(
  endpoint: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  tools: SendTools,
): Promise<void> {
  const url = addressOf(resolveText(endpoint, tools.env, 'notify endpoint'))
  const dispatcher = createDispatcher(1, tools.env)
  try {
    await postThrough(dispatcher, { url, body, headers }, tools)
  } finally {
    await dispatcher.destroy()
  }
}

export interface Post {
  readonly url: URL
  /** JSON. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Throws NotSent. */
export async function postThrough(
  dispatcher: Dispatcher,
  { url, body, headers }: Post,
  { now, signal }: Pick<SendTools, 'now' | 'signal'>,
): Promise<void> {
  const login = (url.username !== '' || url.password !== '') && { authorization: basicLogin(url) }
  try {
    const answer = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'svc', ...login, ...headers },
      body,
      signal,
    })
    const { statusCode } = answer
    // What a server says is shown to nobody, and it may have no end. Where it has one, its connection serves again.
    answer.body.dump({ limit: mostOfAnswer }).catch(() => undefined)
    if (statusCode >= 200 && statusCode < 300) return
    const isPassing = statusCode === 408 || statusCode === 425 || statusCode === 429 || statusCode >= 500
    const waitMs = isPassing ? askedToWaitMs(firstOfEach(answer.headers), now()) : undefined
    throw new NotSent(`status ${statusCode}`, { isPassing, waitMs })
  } catch (error) {
    if (error instanceof NotSent) throw error
    if (signal.aborted) throw new NotSent('no answer in time', { isPassing: true })
    const { reason } = inWords(error)
    throw new NotSent(reason, { isPassing: !/not trusted|TLS/.test(reason) })
  }
}

/** Throws NotSent. */
export function addressOf(text: string): URL {
  const url = parseUrl(text)
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new NotSent('its endpoint is no address that begins with https://', { isPassing: false })
}

function firstOfEach(headers: Readonly<Record<string, string | string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
}
