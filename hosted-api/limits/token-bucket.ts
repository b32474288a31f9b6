/**
 * A token bucket per caller: `quota` requests, refilled evenly over `window` seconds. Time is an argument, in
 * milliseconds of any monotonic clock.
 */

export interface RatePolicy {
  /** The name in the RateLimit headers. */
  readonly name: string
  /** Requests per window; 0 means no limit. */
  readonly quota: number
  /** The window in seconds. */
  readonly window: number
}

export interface RateVerdict {
  readonly allowed: boolean
  /** The number of requests that are left. */
  readonly remaining: number
  /** Seconds until the bucket is full again. */
  readonly reset: number
  /** Seconds until the next request is allowed; 0 if one is allowed now. */
  readonly retryAfter: number
}

interface Bucket {
  level: number
  at: number
}

/** Above this number of callers, full buckets are deleted, because they carry no information. */
const sweepAbove = 10_000

export class TokenBuckets {
  readonly policy: RatePolicy
  readonly #buckets = new Map<string, Bucket>()
  readonly #perMillisecond: number
  #sweepAt = sweepAbove

  constructor(policy: RatePolicy) {
    this.policy = policy
    this.#perMillisecond = policy.quota / policy.window / 1000
  }

  /** Takes one request from the bucket of `key`. A refused request costs nothing. */
  take(key: string, now: number): RateVerdict {
    const bucket = this.#bucket(key, now)
    const allowed = bucket.level >= 1
    if (allowed) bucket.level--
    return this.#verdict(bucket, allowed)
  }

  /**
   * Takes further `requests` from the bucket of `key`, unless it owes some already. A bucket may owe up to a window's
   * requests: what is within the limits of size is never too much for a full one.
   */
  charge(key: string, requests: number, now: number): RateVerdict {
    const bucket = this.#bucket(key, now)
    const allowed = bucket.level >= 0
    if (allowed) bucket.level = Math.max(-this.policy.quota, bucket.level - requests)
    return this.#verdict(bucket, allowed)
  }

  get size(): number {
    return this.#buckets.size
  }

  #bucket(key: string, now: number): Bucket {
    const known = this.#buckets.get(key)
    if (known !== undefined) {
      known.level = this.#levelAt(known, now)
      known.at = now
      return known
    }
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(now)
    const made = { level: this.policy.quota, at: now }
    this.#buckets.set(key, made)
    return made
  }

  #levelAt(bucket: Bucket, now: number): number {
    return Math.min(this.policy.quota, bucket.level + (now - bucket.at) * this.#perMillisecond)
  }

  #verdict({ level }: Bucket, allowed: boolean): RateVerdict {
    const seconds = (requests: number) => Math.ceil(requests / this.#perMillisecond / 1000)
    return {
      allowed,
      remaining: Math.max(0, Math.floor(level)),
      reset: seconds(this.policy.quota - level),
      retryAfter: allowed ? 0 : Math.max(1, seconds(1 - level)),
    }
  }

  #sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (this.#levelAt(bucket, now) >= this.policy.quota) this.#buckets.delete(key)
    }
    // If nearly all of them are in use, the next sweep pays off only much later.
    this.#sweepAt = Math.max(sweepAbove, this.#buckets.size * 2)
  }
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). */
export function policyHeader({ name, quota, window }: RatePolicy): string {
  return `"${name}";q=${quota};w=${window}`
}

export function rateHeader({ name }: RatePolicy, { remaining, reset }: RateVerdict): string {
  return `"${name}";r=${remaining};t=${reset}`
}
