/** Sessions: a request that logs in, and the token or the cookies of its answer. */
import type { JsonValue, SessionAuth } from '@svc/server/language'
import { parseJson } from '../../artifacts/read-file.ts'
import { SvcError } from '../../errors.ts'
import { resolveSecret, type Secrets } from '../credentials.ts'
import { filledBody } from './filled-body.ts'
import { type LoginAnswer, type LoginRequest, loginAddress, type Pass, secondsOf } from './login.ts'
import type { AuthenticationContext } from './request-template.ts'
import { valueAt } from './value-at.ts'

type Facts = Pick<AuthenticationContext, 'at' | 'env' | 'secrets'>

export function sessionLogin(auth: SessionAuth, { at, env, secrets }: Facts): LoginRequest {
  const resolve = (text: string, what: string) => resolveSecret(text, env, what, secrets)
  const headers = Object.entries(auth.headers).map(([name, value]) => [
    name.toLowerCase(),
    resolve(value, `${at}.auth.headers.${name}`),
  ])
  const type = auth.format === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const body =
    auth.body === undefined ? undefined : filledBody(auth.body, text => resolve(text, `${at}.auth.body`))
  return {
    what: 'the login',
    method: auth.method,
    url: loginAddress(auth.loginUrl, `${at}.auth.login_url`, env, secrets),
    headers: { ...(body !== undefined && { 'content-type': type }), ...Object.fromEntries(headers) },
    body: body === undefined ? undefined : auth.format === 'form' ? formOf(body) : JSON.stringify(body),
    parameters: auth.in === 'query' && auth.tokenPath !== undefined ? [auth.name] : [],
    refusedBy: auth.renewOn.map(Number),
    read: (answer, shown) => passOf(auth, answer, shown, secrets),
  }
}

function formOf(body: JsonValue): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body ?? {}))
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  return form.toString()
}

function passOf(auth: SessionAuth, answer: LoginAnswer, shown: string, secrets: Secrets): Pass {
  const value = parseJson(answer.body)
  const seconds = auth.expiresPath === undefined ? undefined : secondsOf(valueAt(value, auth.expiresPath))
  const pass = { headers: {}, parameters: {}, seconds }
  if (auth.tokenPath === undefined) return { ...pass, headers: { cookie: cookiesOf(answer, shown, secrets) } }
  const token = valueAt(value, auth.tokenPath)
  if ((typeof token !== 'string' || token === '') && typeof token !== 'number') {
    throw new SvcError('http-body', `the login (${shown}) answers without a token at "${auth.tokenPath}"`, {
      hint: `Check ingest.auth.token_path. ${keysOf(value)}`.trim(),
    })
  }
  const text = secrets.add(String(token))
  const { name } = auth
  if (auth.in === 'query') return { ...pass, parameters: { [name]: text } }
  if (auth.in === 'cookie') return { ...pass, headers: { cookie: `${name}=${text}` } }
  const isUsual = name.toLowerCase() === 'authorization'
  const prefix = auth.prefix ?? (isUsual ? 'Bearer ' : '')
  return { ...pass, headers: { [name.toLowerCase()]: `${prefix}${text}` } }
}

/** The names alone are told: the values may be secrets. */
function keysOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'Its answer is no JSON object.'
  return `The answer has: ${Object.keys(value).slice(0, 12).join(', ')}.`
}

function cookiesOf({ headers }: LoginAnswer, shown: string, secrets: Secrets): string {
  // A line is a cookie: its value, and behind a semicolon what a browser does with it.
  const pairs = (headers['set-cookie'] ?? '').split('\n').map(line => line.split(';', 1)[0]?.trim() ?? '')
  const set = pairs.filter(pair => /^[^=\s]+=./.test(pair))
  if (set.length === 0) {
    throw new SvcError('http-body', `the login (${shown}) answers without a cookie`, {
      hint: 'If the token is in the body of the answer, say where with ingest.auth.token_path.',
    })
  }
  for (const pair of set) secrets.add(pair.slice(pair.indexOf('=') + 1))
  return set.join('; ')
}
