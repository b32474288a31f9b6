/**
 * Limits the request rate per token and kind of request, and the rate of failed authentications per address.
 */
import type { IncomingMessage } from 'node:http'
import { type AnyRoute, type ChargeRecords, type Guard, Problem } from '../http/index.ts'
import type { Limits } from './limits.ts'
import { policyHeader, type RateVerdict, rateHeader, TokenBuckets } from './token-bucket.ts'

/** Milliseconds of a monotonic clock. */
export type Ticks = () => number

const window = 60

type Kind = 'read' | 'write' | 'upload'

/** A request with more records than this counts as several. */
const recordsOfRequest = 100

export function createRateLimits(
  limits: Pick<Limits, 'reads' | 'writes' | 'uploads'>,
  ticks: Ticks,
): { readonly guard: Guard; readonly chargeRecords: ChargeRecords } {
  const buckets: Readonly<Record<Kind, TokenBuckets | undefined>> = {
    read: bucketsOf('read', limits.reads),
    write: bucketsOf('write', limits.writes),
    upload: bucketsOf('upload', limits.uploads),
  }
  return {
    /**
     * Takes one request from the token's bucket.
     * @throws Problem `rate_limited` with `Retry-After`
     */
    guard({ route, principal }) {
      if (route.scope === 'public') return undefined
      const own = buckets[kindOf(route)]
      if (own === undefined) return undefined
      const verdict = own.take(String(principal.tokenId), ticks())
      const headers = rateHeaders(own, verdict)
      if (!verdict.allowed) throw tooMany('requests of this token', verdict, headers)
      return headers
    },
    /**
     * Takes what many records stand for from the bucket of the request's kind.
     * @throws Problem `rate_limited` with `Retry-After`, if earlier ones are still owed
     */
    chargeRecords(route, principal, records) {
      const own = buckets[kindOf(route)]
      if (own === undefined || records <= recordsOfRequest) return
      // The request itself has been counted.
      const further = Math.ceil(records / recordsOfRequest) - 1
      const verdict = own.charge(String(principal.tokenId), further, ticks())
      if (!verdict.allowed) throw tooMany('records of this token', verdict, rateHeaders(own, verdict))
    },
  }
}

/**
 * Returns what is called for each request without a valid token, to slow down guessing.
 * @throws Problem `rate_limited` instead of `unauthorized`
 */
export function createFailureCount(limits: Pick<Limits, 'failures'>, ticks: Ticks) {
  const buckets = bucketsOf('failed-auth', limits.failures)
  return (address: string): void => {
    const verdict = buckets?.take(address, ticks())
    if (verdict === undefined || verdict.allowed) return
    throw tooMany('requests without a valid token', verdict, {})
  }
}

/** Returns the address of the client; behind a trusted proxy, the address that the proxy saw. */
export function addressOf(request: IncomingMessage, trustProxy: boolean): string {
  const direct = request.socket.remoteAddress ?? ''
  if (!trustProxy) return direct
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
  // The proxy appends its own value; everything before may be forged.
  return forwarded.split(',').at(-1)?.trim() || direct
}

function kindOf({ method, scope }: AnyRoute): Kind {
  if (method === 'GET') return 'read'
  return scope === 'metadata:upload' ? 'upload' : 'write'
}

function bucketsOf(name: string, quota: number): TokenBuckets | undefined {
  return quota === 0 ? undefined : new TokenBuckets({ name, quota, window })
}

function rateHeaders({ policy }: TokenBuckets, verdict: RateVerdict): Readonly<Record<string, string>> {
  return { 'RateLimit-Policy': policyHeader(policy), RateLimit: rateHeader(policy, verdict) }
}

function tooMany(
  what: string,
  { retryAfter }: RateVerdict,
  headers: Readonly<Record<string, string>>,
): Problem {
  const seconds = retryAfter === 1 ? '1 second' : `${retryAfter} seconds`
  return new Problem('rate_limited', `Too many ${what}: try again in ${seconds}.`, {
    headers: { ...headers, 'Retry-After': String(retryAfter) },
  })
}
