/** Access tokens of OAuth 2 (RFC 6749): how one is asked for, and the answer. */
import type { RestAuth } from '@svc/server/language'
import { parseJson } from '../../artifacts/read-file.ts'
import { SvcError } from '../../errors.ts'
import { resolveText } from '../credentials.ts'
import { type LoginAnswer, type LoginRequest, loginAddress, type Pass, secondsOf } from './login.ts'
import type { AuthenticationContext } from './request-template.ts'

interface TokenFacts extends Omit<AuthenticationContext, 'credentials'> {
  secret(given: string | undefined, key: string): string
}

/** RFC 6749: 4.4 for the rights of the client itself, 6 for those that a person gave it. */
export function tokenRequest(
  auth: Extract<RestAuth, { type: 'oauth2' }>,
  { at, env, secrets, secret }: TokenFacts,
): LoginRequest {
  const url = loginAddress(auth.tokenUrl, `${at}.auth.token_url`, env, secrets)
  const id = resolveText(auth.clientId, env, `${at}.auth.client_id`)
  const clientSecret = secret(auth.clientSecret, 'client_secret')
  const grant =
    auth.refreshToken === undefined
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: secret(auth.refreshToken, 'refresh_token') }
  const { scope, audience } = auth
  const form = new URLSearchParams({
    ...grant,
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
    ...(auth.client === 'form' && { client_id: id, client_secret: clientSecret }),
  })
  // RFC 6749, 2.3.1: both parts are written as in a form before they are joined.
  const pair = [id, clientSecret].map(part => encodeURIComponent(part)).join(':')
  const basic = secrets.add(Buffer.from(pair).toString('base64'))
  return {
    what: 'the token',
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(auth.client === 'basic' && { authorization: `Basic ${basic}` }),
    },
    body: form.toString(),
    parameters: [],
    refusedBy: [401],
    read: (answer, shown) => tokenPass(answer, shown, text => secrets.add(text)),
  }
}

function tokenPass(answer: LoginAnswer, shown: string, hide: (text: string) => string): Pass {
  const value = parseJson<Readonly<Record<string, unknown>>>(answer.body)
  const { access_token: text, expires_in: seconds } = value ?? {}
  if (typeof text !== 'string' || text === '') {
    throw new SvcError('http-body', `the token server (${shown}) answers without an access_token`, {
      hint: 'Check ingest.auth.token_url: it is the address that gives tokens, not the one where people log in.',
    })
  }
  return { headers: { authorization: `Bearer ${hide(text)}` }, parameters: {}, seconds: secondsOf(seconds) }
}
