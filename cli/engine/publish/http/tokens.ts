/** The OAuth 2 tokens of a web service that takes rows: asked of its token server through the same connections. */
import type { Dispatcher } from 'undici'
import { SvcError } from '../../errors.ts'
import { createLogins, type LoginAnswer, type LoginRequest, type Logins } from '../../ingest/rest/login.ts'
import { type DestinationRequest, Passing } from '../destination.ts'

export interface TokenAnswer {
  readonly status: number
  readonly text: string
  readonly headers: LoginAnswer['headers']
}

type Ask = (
  url: URL,
  request: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>,
) => Promise<TokenAnswer>

export function publishTokens(
  login: LoginRequest,
  { target, secrets, now }: Pick<DestinationRequest, 'target' | 'secrets' | 'now'>,
  ask: Ask,
): Logins {
  const { url, method, headers, body } = login
  const shown = `${url.origin}${url.pathname}`
  const logins = createLogins(
    async () => {
      const answer = await ask(url, {
        method,
        headers: { 'user-agent': 'svc', ...headers },
        ...(body !== undefined && { body }),
      })
      const { status, text } = answer
      if (status < 200 || status >= 300) throw refusal(status, secrets.hide(text), shown, target.name)
      return { headers: answer.headers, body: text }
    },
    login,
    { secrets, now, shown },
  )
  return {
    ...logins,
    current: () => logins.current().catch((error: unknown) => Promise.reject(ofPublish(error, target.name))),
  }
}

function refusal(status: number, text: string, shown: string, target: string): Error {
  const said = text.replace(/\s+/g, ' ').trim().slice(0, 160)
  const message = `the token server (${shown}): status ${status}${said === '' ? '' : `, it says ${JSON.stringify(said)}`}`
  if (status === 429 || status >= 500)
    return new Passing('http-status', message, { hint: 'The token server failed.' })
  return new SvcError('http-status', message, {
    hint: `Check publish.${target}.auth and the variable DESTINATION__<TARGET>__CREDENTIALS.`,
  })
}

/** No row was sent before there was a token, so the batch is in no doubt. */
function ofPublish(error: unknown, target: string): unknown {
  if (!(error instanceof SvcError) || error.code !== 'http-body') return error
  const hint = error.hint?.replace('ingest.auth', `publish.${target}.auth`)
  return new SvcError('http-status', error.message, { hint, cause: error })
}
