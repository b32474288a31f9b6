/**
 * Logins that give a pass for some time: an access token of OAuth 2 (RFC 6749), or the token or cookies of a session. One is got
 * before the first request, again shortly before it expires, and when the service does not take it any more.
 */
import { SvcError } from '../../errors.ts'
import { resolveAddress, type Secrets } from '../credentials.ts'
import type { FetchContext } from '../source.ts'
import type { Headers } from './http-client.ts'
import { parseUrl } from './parse-url.ts'

/** What requests carry after a login. It is sent to the endpoint's own origin only. */
export interface Pass {
  readonly headers: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, string>>
  /** How long it is good for; undefined if the server does not say. */
  readonly seconds: number | undefined
}

export interface LoginAnswer {
  readonly headers: Headers
  readonly body: string
}

/** How to log in, and what to make of the answer. */
export interface LoginRequest {
  /** In messages: "the token", "the login". */
  readonly what: string
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The parameters of the address that a pass sets. */
  readonly parameters: readonly string[]
  /** The statuses by which the service says that a pass is not good any more. */
  readonly refusedBy: readonly number[]
  /** `shown` is the address for messages. Throws SvcError `http-body` for an answer without a pass. */
  read(answer: LoginAnswer, shown: string, secrets: Secrets): Pass
}

export interface Logins {
  /** Returns a pass that is not about to expire. Throws SvcError `http-status`, `http-failed` or `http-body`. */
  current(): Promise<Pass>
  /** Called with a pass that the service refused, so that there is a new login. */
  refused(pass: Pass): void
  readonly refusedBy: readonly number[]
}

/** A pass that expires within this time, in milliseconds, is not used any more. */
const margin = 30_000

interface KnownPass {
  readonly pass: Pass
  /** Milliseconds since the epoch. */
  readonly expires: number | undefined
}

export interface LoginFacts {
  readonly secrets: Secrets
  readonly now: () => Date
  /** The address for messages. */
  readonly shown: string
}

export function createLogins(
  ask: () => Promise<LoginAnswer>,
  login: Pick<LoginRequest, 'read' | 'refusedBy'>,
  { secrets, now, shown }: LoginFacts,
): Logins {
  let known: KnownPass | undefined
  let coming: Promise<KnownPass> | undefined
  const logIn = async (): Promise<KnownPass> => {
    const asked = now().getTime()
    const pass = login.read(await ask(), shown, secrets)
    return { pass, expires: pass.seconds === undefined ? undefined : asked + pass.seconds * 1000 }
  }
  const isUsable = ({ expires }: KnownPass) => expires === undefined || expires - margin > now().getTime()
  return {
    refusedBy: login.refusedBy,
    async current() {
      if (known !== undefined && isUsable(known)) return known.pass
      // Requests that wait at the same time share one login.
      coming ??= logIn().finally(() => {
        coming = undefined
      })
      known = await coming
      return known.pass
    },
    refused(pass) {
      if (known?.pass === pass) known = undefined
    },
  }
}

/** Returns a positive number of seconds, also if it is written as text. */
export function secondsOf(value: unknown): number | undefined {
  const seconds = Number(value)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

/** Returns the address of a login. Throws `invalid-project`. */
export function loginAddress(written: string, key: string, env: FetchContext['env'], secrets: Secrets): URL {
  const url = parseUrl(resolveAddress(written, env, key, secrets))
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new SvcError('invalid-project', `${key} is no http address`, {
    hint: 'Write it as https://host/path.',
  })
}
