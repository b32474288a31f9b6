/** Keeps work that a client may order hundreds of times in a second from taking more than a small part of the time. */

/** For so many times as long as the work took, it is not begun again. */
const restFactor = 20

/**
 * Returns a function that does the work at once, or, soon after it was done, when it has rested: all orders until then are
 * answered by one. `later` sets a timer that keeps no process alive.
 */
export function paced(
  work: () => void,
  nowMs: () => number = () => performance.now(),
  later: (work: () => void, ms: number) => void = (next, ms) => setTimeout(next, ms).unref(),
): () => void {
  let restsUntil = 0
  let isOrdered = false
  const begin = (): void => {
    isOrdered = false
    const began = nowMs()
    try {
      work()
    } finally {
      const ended = nowMs()
      restsUntil = ended + (ended - began) * restFactor
    }
  }
  return () => {
    if (isOrdered) return
    const waitMs = restsUntil - nowMs()
    if (waitMs <= 0) return begin()
    isOrdered = true
    later(begin, waitMs)
  }
}
