/**
 * Decides whether and after which delay a failed request is retried. Pure apart from the random numbers that
 * it is given.
 */
import type { Headers } from './http-client.ts'

export type StatusAction = 'ok' | 'retry' | 'skip' | 'fail' | 'end'

/** Returns the action for a status: the asset's `on_status` first, then the default. */
export function actionFor(
  status: number,
  onStatus: Readonly<Record<string, Exclude<StatusAction, 'ok'>>>,
): StatusAction {
  const own = onStatus[String(status)]
  if (own !== undefined) return own
  if (status >= 200 && status < 300) return 'ok'
  if (status === 408 || status === 425 || status === 429) return 'retry'
  return status >= 500 && status !== 501 && status !== 505 ? 'retry' : 'fail'
}

export interface Backoff {
  readonly baseMs: number
  readonly capMs: number
  /** A number with 0 <= x < 1. */
  readonly random: () => number
}

export const usualBackoff: Backoff = { baseMs: 500, capMs: 30_000, random: Math.random }

/**
 * Returns the delay before the next try: it doubles with each try, with jitter so that clients do not retry
 * in step. `tries` counts from 1.
 */
export function backoffMs(tries: number, { baseMs, capMs, random }: Backoff): number {
  const full = Math.min(capMs, baseMs * 2 ** (tries - 1))
  return full / 2 + (full / 2) * random()
}

/**
 * Returns how long a server asks to wait in milliseconds: `Retry-After` in seconds or as a date, otherwise
 * the reset of its rate limit.
 */
export function askedToWaitMs(headers: Headers, now: Date): number | undefined {
  const after = headers['retry-after']?.trim()
  if (after !== undefined && after !== '') {
    if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000
    const date = Date.parse(after)
    if (!Number.isNaN(date)) return Math.max(0, date - now.getTime())
  }
  return resetMs(headers, now)
}

/** Returns how long to pause after a successful response because the rate limit is used up. */
export function exhaustedForMs(headers: Headers, now: Date): number | undefined {
  const quota = quotaOf(headers, now)
  return quota?.remaining === 0 ? quota.resetMs : undefined
}

/**
 * Returns the quota that a response tells: `RateLimit-Remaining` with `RateLimit-Reset`, the same with `X-`, or both in
 * `RateLimit` (`remaining=5, reset=30`, or `"name";r=5;t=30`).
 * `remaining`: how many more requests the server takes until then.
 */
export function quotaOf(headers: Headers, now: Date) {
  const both = headers['ratelimit']
  const inBoth = (name: RegExp) => name.exec(both ?? '')?.[1]
  const remaining =
    headers['ratelimit-remaining'] ?? headers['x-ratelimit-remaining'] ?? inBoth(/\b(?:remaining|r)=(\d+)/i)
  const reset = inBoth(/\b(?:reset|t)=(\d+)/i)
  const waitMs = resetMs(headers, now) ?? (reset === undefined ? undefined : Number(reset) * 1000)
  if (remaining === undefined || waitMs === undefined || !/^\s*\d+/.test(remaining)) return undefined
  return { remaining: Number.parseInt(remaining, 10), resetMs: waitMs }
}

/**
 * Reads the reset time: `RateLimit-Reset` is in seconds from now; the older `X-RateLimit-Reset` is that, or
 * seconds since 1970.
 */
function resetMs(headers: Headers, now: Date): number | undefined {
  const text = (headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'])?.trim()
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined
  const seconds = Number(text)
  const waitMs = seconds > 1_000_000_000 ? seconds * 1000 - now.getTime() : seconds * 1000
  return Math.max(0, waitMs)
}
