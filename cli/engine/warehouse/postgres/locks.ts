/** Statements that need a lock which readers may hold. */
import { setTimeout } from 'node:timers/promises'
import { isConflict, isLockTimeout } from './failures.ts'

export const lockTimeoutMs = 250
/** How long it is tried, while transactions of readers stay open. */
const patienceMs = 5 * 60_000

/** Repeats short attempts, because whoever waits for a lock makes all later readers wait behind. */
export async function untilUnlocked(work: () => Promise<void>): Promise<void> {
  const endMs = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLockTimeout(error) && !isConflict(error)) throw error
      if (performance.now() > endMs) throw error
      await setTimeout(50 + Math.random() * 150)
    }
  }
}
