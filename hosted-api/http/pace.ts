/** Long work on the event loop: other requests are let in every few milliseconds, and a limit of time ends it. */
import { setImmediate as turn } from 'node:timers/promises'
import { Problem } from './problems.ts'

export interface Pace {
  /**
   * Called between small pieces of work; returns a promise when others should be let in first.
   * @throws Problem `took_too_long`
   */
  pause(): Promise<unknown> | undefined
}

/** How long others wait at most, in milliseconds. */
const slice = 8

/** @param seconds 0 means no limit */
export function createPace(seconds: number, option: string): Pace {
  const started = performance.now()
  let sliceStarted = started
  return {
    pause() {
      const now = performance.now()
      if (seconds > 0 && now - started > seconds * 1000) throw tookTooLong(seconds, option)
      if (now - sliceStarted < slice) return undefined
      return turn().then(() => {
        sliceStarted = performance.now()
      })
    },
  }
}

/** For work that has a thread to itself. */
export const noPace: Pace = { pause: () => undefined }

export function tookTooLong(seconds: number, option: string): Problem {
  return new Problem(
    'took_too_long',
    `It took longer than ${seconds} s (--${option}): ask for less at a time, or let the service take longer.`,
  )
}
