/**
 * Limits the rate of the requests of a source: at most so many per second, and none before a pause that the
 * server asked for has passed. All requests of a fetch share one limiter.
 */
export type Pace = ReturnType<typeof createPace>

export function createPace(perSecond: number | undefined) {
  const gapMs = perSecond === undefined ? 0 : 1000 / perSecond
  let next = 0
  let pausedUntil = 0
  return {
    /** Resolves when a request may be sent. Rejects when the signal aborts. */
    async turn(signal: AbortSignal): Promise<void> {
      for (;;) {
        const now = performance.now()
        const at = Math.max(next, pausedUntil)
        if (at <= now) {
          next = now + gapMs
          return
        }
        if (pausedUntil <= now) {
          // A slot is reserved before waiting, so that waiting requests keep their distance.
          next = at + gapMs
          await wait(at - now, signal)
          return
        }
        await wait(at - now, signal)
      }
    },
    /** Delays all requests for this time. */
    pause(milliseconds: number): void {
      pausedUntil = Math.max(pausedUntil, performance.now() + milliseconds)
    },
  }
}

interface Tried {
  readonly limits: { readonly retries: number }
  readonly note: (text: string) => void
  readonly signal: AbortSignal
}

/** Tells of a failure, and waits before the next try. */
export function pauseAfter(
  { message }: Error,
  tries: number,
  waitMs: number,
  { limits, note, signal }: Tried,
): Promise<void> {
  const seconds = Number((waitMs / 1000).toFixed(1))
  note(`${message}: waiting ${seconds} s, then try ${tries + 1} of ${limits.retries + 1}`)
  return wait(waitMs, signal)
}

export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}
