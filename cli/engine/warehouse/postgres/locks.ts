/** Statements that need a lock which readers may hold. */
import { setTimeout } from 'node:timers/promises'
import { isConflict, isLockTimeout } from './failures.ts'

/** How long an attempt waits that needs several locks: two such waits may be in each other's way. */
export const lockTimeoutMs = 250
/** An attempt that needs one lock may wait longer, and each one longer than the one before. */
const longestTimeoutMs = 2_000
/** How long it is tried, while transactions of readers stay open. */
const patienceMs = 5 * 60_000

/**
 * Repeats an attempt that needs the lock of one view. Whoever waits for a lock makes all later readers wait behind, so the
 * first attempts are short; but among transactions that are always open only one that waits gets its turn.
 */
export function untilUnlocked(attempt: (timeoutMs: number) => Promise<void>): Promise<void> {
  return untilAllUnlocked(count => attempt(Math.min(lockTimeoutMs * 2 ** count, longestTimeoutMs)))
}

/** Repeats an attempt that needs the locks of several views. */
export async function untilAllUnlocked(attempt: (count: number) => Promise<void>): Promise<void> {
  const endMs = performance.now() + patienceMs
  for (let count = 0; ; count++) {
    try {
      return await attempt(count)
    } catch (error) {
      if (!isLockTimeout(error) && !isConflict(error)) throw error
      if (performance.now() > endMs) throw error
      await setTimeout(20 + Math.random() * 80)
    }
  }
}
