/**
 * When the next request of a source may go: at most so many a second, and not before a server that asked for a pause
 * wants more. One pace for all requests of a fetch.
 */
export interface Pace {
  /** Resolves when a request may go. Rejects when the signal aborts. */
  turn(signal: AbortSignal): Promise<void>
  /** Nobody goes before then. */
  pause(milliseconds: number): void
}

export function createPace(
  perSecond: number | undefined,
  clock: () => number = () => performance.now(),
): Pace {
  const gapMs = perSecond === undefined ? 0 : 1000 / perSecond
  let next = 0
  let pausedUntil = 0
  return {
    async turn(signal) {
      for (;;) {
        const now = clock()
        const at = Math.max(next, pausedUntil)
        if (at <= now) {
          next = now + gapMs
          return
        }
        if (pausedUntil <= now) {
          // A place in the queue is taken before waiting, so that those who wait keep their distance.
          next = at + gapMs
          await wait(at - now, signal)
          return
        }
        await wait(at - now, signal)
      }
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, clock() + milliseconds)
    },
  }
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
