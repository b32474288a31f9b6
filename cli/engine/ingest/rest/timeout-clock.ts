export interface TimeoutClock {
  readonly signal: AbortSignal
  /** Call this whenever something has come, where the time counts from there. */
  touch(): void
  stop(): void
}

/** Aborts with the run, or with the reason when a time has passed since the start or the last touch. */
export function timeoutClock(outer: AbortSignal, timeoutMs: number, reason: Error): TimeoutClock {
  const controller = new AbortController()
  const stopWith = () => controller.abort(outer.reason)
  // Who was interrupted before this hears of it no more.
  if (outer.aborted) stopWith()
  outer.addEventListener('abort', stopWith, { once: true })
  const start = () => setTimeout(() => controller.abort(reason), timeoutMs)
  let timer = start()
  return {
    signal: controller.signal,
    touch() {
      clearTimeout(timer)
      timer = start()
    },
    stop() {
      clearTimeout(timer)
      outer.removeEventListener('abort', stopWith)
    },
  }
}

/** The reason of a clock that is touched. */
export class IdleTooLong extends Error {
  constructor(timeoutMs: number) {
    super(`nothing came for ${timeoutMs / 1000} s (limits.timeout)`)
  }
}
