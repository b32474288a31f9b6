/**
 * What a host bears, learnt from its answers, for all requests to it at the same time, whatever source they belong to: a refusal
 * (429, or 503 with a time to wait) halves how many may be on the way, 20 good answers allow one more, and a quota that an
 * answer tells (`RateLimit-Remaining`, `RateLimit-Reset`) is not overdrawn.
 */
import type { Headers } from './http-client.ts'
import { wait } from './pace.ts'
import { quotaOf } from './retry.ts'

/** A request on its way. */
export interface Visit {
  /** Call this with each answer, also with those that are tried again. */
  heard(status: number, headers: Headers, now: Date): void
  leave(): void
}

export type HostPaces = ReturnType<typeof createHostPaces>

export interface HostPaceOptions {
  /** The longest pause for a quota; beyond it requests are sent, so that the host can say no. */
  readonly maxPauseMs: number
  readonly clock?: () => number
}

/** What a run waits for a quota at most. */
export const usualPause: HostPaceOptions = { maxPauseMs: 15 * 60_000 }

export function createHostPaces(options: HostPaceOptions) {
  const hosts = new Map<string, HostPace>()
  return {
    of(origin: string): HostPace {
      const known = hosts.get(origin) ?? new HostPace(options)
      hosts.set(origin, known)
      return known
    },
  }
}

/** So many good answers in a row allow one request more. */
const goodAnswers = 20

class HostPace {
  readonly #clock: () => number
  readonly #maxPauseMs: number
  readonly #waiting: (() => void)[] = []
  #busy = 0
  /** How many requests may be on the way; there is no limit before the first refusal. */
  #most = Number.POSITIVE_INFINITY
  /** How many there were at that refusal: from there on there is no limit any more. */
  #peak = 0
  #good = 0
  /** Counts the refusals that were heeded: those of requests that were on the way then say nothing new. */
  #refusals = 0
  #pausedUntil = 0
  #quota: { left: number; readonly until: number } | undefined

  constructor({ maxPauseMs, clock = () => performance.now() }: HostPaceOptions) {
    this.#maxPauseMs = maxPauseMs
    this.#clock = clock
  }

  /** Resolves when a request may be sent. Rejects when the signal aborts. */
  async enter(signal: AbortSignal): Promise<Visit> {
    for (;;) {
      signal.throwIfAborted()
      const waitMs = this.#waitMs()
      if (waitMs > 0) await wait(waitMs, signal)
      else if (this.#busy >= this.#most) await this.#turn(signal)
      else return this.#begin()
    }
  }

  /** Delays all requests for this time. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock() + milliseconds)
  }

  #waitMs(): number {
    const now = this.#clock()
    if (this.#quota !== undefined && this.#quota.until <= now) this.#quota = undefined
    const until = this.#quota?.left === 0 ? this.#quota.until : 0
    return Math.max(this.#pausedUntil, until) - now
  }

  /** Resolves when another request has ended. */
  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      this.#waiting.push(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      })
    })
  }

  #begin(): Visit {
    this.#busy++
    if (this.#quota !== undefined) this.#quota.left--
    const refusals = this.#refusals
    let isOver = false
    return {
      heard: (status, headers, now) => {
        this.#takeQuota(headers, now)
        const isRefusal = status === 429 || (status === 503 && headers['retry-after'] !== undefined)
        if (!isRefusal) this.#welcome(status)
        else if (refusals === this.#refusals) this.#slowDown()
      },
      leave: () => {
        if (isOver) return
        isOver = true
        this.#busy--
        this.#wake()
      },
    }
  }

  #slowDown(): void {
    this.#refusals++
    this.#good = 0
    const now = Math.min(this.#most, this.#busy)
    if (this.#most === Number.POSITIVE_INFINITY) this.#peak = now
    this.#most = Math.max(1, Math.floor(now / 2))
  }

  #welcome(status: number): void {
    if (status >= 400 || this.#most === Number.POSITIVE_INFINITY) return
    this.#good++
    if (this.#good < goodAnswers) return
    this.#good = 0
    this.#most = this.#most + 1 > this.#peak ? Number.POSITIVE_INFINITY : this.#most + 1
    this.#wake()
  }

  /** The host may have counted the other requests on the way already, or not yet. */
  #takeQuota(headers: Headers, now: Date): void {
    const quota = quotaOf(headers, now)
    if (quota === undefined || quota.resetMs > this.#maxPauseMs) return
    const left = Math.max(0, quota.remaining - (this.#busy - 1))
    const until = this.#clock() + quota.resetMs
    const known = this.#quota
    // Answers overtake each other: of one period the smallest rest is the latest.
    const isSame = known !== undefined && Math.abs(known.until - until) < samePeriodMs
    this.#quota = isSame
      ? { left: Math.min(known.left, left), until: Math.max(known.until, until) }
      : { left, until }
  }

  /** All look again: each may have another reason to wait on. */
  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

/** Hosts tell the end of a period in whole seconds. */
const samePeriodMs = 1000
