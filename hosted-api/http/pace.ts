/** Long work on the event loop: other requests are let in every few milliseconds, and a limit of time ends it. */
import { Problem } from './problems.ts'

export interface Pace {
  /**
   * Called between small pieces of work; returns a promise when others should be let in first.
   * @throws Problem `took_too_long`
   */
  pause(): Promise<unknown> | undefined
}

/** Milliseconds. A short request waits for one slice in each of its steps, and a write has about eight. */
const slice = 3

/** @param seconds 0 means no limit */
export function createPace(seconds: number, option: string): Pace {
  const started = performance.now()
  let sliceStarted = started
  return {
    pause() {
      const now = performance.now()
      if (seconds > 0 && now - started > seconds * 1000) throw tookTooLong(seconds, option)
      if (now - sliceStarted < slice) return undefined
      return nextTurn().then(() => {
        sliceStarted = performance.now()
      })
    },
  }
}

/** Long work that waits for its next slice, of all requests. */
const waiting: (() => void)[] = []

/**
 * One slice runs in each round of the event loop. If all of them ran in every round, a request would wait for as many
 * slices as there are long requests.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(giveTurn)
  })
}

function giveTurn(): void {
  // The slice runs after this callback, when promises are settled.
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(giveTurn)
}

/** For work that has a thread to itself. */
export const noPace: Pace = { pause: () => undefined }

export function tookTooLong(seconds: number, option: string): Problem {
  return new Problem(
    'took_too_long',
    `It took longer than ${seconds} s (--${option}): ask for less at a time, or let the service take longer.`,
  )
}
