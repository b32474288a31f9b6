/** Work that is done again after a conflict with another transaction, which has ended by then. */
import { setTimeout } from 'node:timers/promises'

const pausesMs = [2, 5, 10, 20, 40, 80, 160, 320]

/** Returns a function that repeats its work; `isConflict` knows the errors of the engine. */
export function repeatingAfter(isConflict: (error: unknown) => boolean) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    for (const pauseMs of pausesMs) {
      try {
        return await work()
      } catch (error) {
        if (!isConflict(error)) throw error
        await setTimeout(pauseMs)
      }
    }
    return work()
  }
}
