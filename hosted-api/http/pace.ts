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

/** Milliseconds that long work waits for short requests in progress, at most: it goes on whatever the crowd. */
const longestWait = 10

/** Long work that waits for its next slice, of all requests. */
const waiting: (() => void)[] = []
/** Requests in progress that are no long work. */
let short = 0
let timer: NodeJS.Timeout | undefined
let isNext = false

/**
 * One slice runs in each round of the event loop. If all of them ran in every round, a request would wait for as many
 * slices as there are long requests. Short requests go first: between two of its steps, which wait for the database,
 * each of them would wait for a slice.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    prepareTurn()
  })
}

/** Called when a short request begins, and what it returns when it ends. */
export function beginShort(): () => void {
  short++
  return () => {
    short--
    if (short === 0 && timer !== undefined) {
      clearTimeout(timer)
      timer = undefined
      prepareTurn()
    }
  }
}

function prepareTurn(): void {
  if (waiting.length === 0 || isNext || timer !== undefined) return
  if (short > 0) timer = setTimeout(giveTurn, longestWait)
  else {
    isNext = true
    setImmediate(giveTurn)
  }
}

function giveTurn(): void {
  timer = undefined
  isNext = false
  // The slice runs after this callback, when promises are settled.
  waiting.shift()?.()
  prepareTurn()
}

/** For work that has a thread to itself. */
export const noPace: Pace = { pause: () => undefined }

export function tookTooLong(seconds: number, option: string): Problem {
  return new Problem(
    'took_too_long',
    `It took longer than ${seconds} s (--${option}): ask for less at a time, or let the service take longer.`,
  )
}
