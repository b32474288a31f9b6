/**
 * Measures the work of this process from a thread that DuckDB does not use. DuckDB cannot be interrupted
 * while it parses or folds constants, and the memory of its parser does not count for its own limit, so the
 * whole process is measured.
 */
import type { BudgetLimit, Limits } from '../limits.ts'

const lookEveryMs = 20
/** Work that waits (for memory, on a busy machine) may take so many times its limit of wall-clock time. */
const waitingFactor = 10

export type Budget = ReturnType<typeof watchBudget>

interface Work {
  readonly limits: Limits
  readonly wallMs: number
  readonly cpuMs: number
  readonly memoryBytes: number
}

export function watchBudget(onOver: (limit: BudgetLimit) => void) {
  const works = new Set<Work>()
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const now = measured()
    for (const work of works) {
      const limit = limitPassed(work, now)
      if (limit !== undefined) return onOver(limit)
    }
  }
  return {
    /** Starts measuring. The returned function ends it. */
    begin(limits: Limits) {
      const work = { limits, ...measured() }
      works.add(work)
      timer ??= setInterval(look, lookEveryMs)
      return () => {
        works.delete(work)
        if (works.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

type Measured = Omit<Work, 'limits'>

function measured(): Measured {
  const { user, system } = process.cpuUsage()
  return {
    wallMs: performance.now(),
    cpuMs: (user + system) / 1000,
    memoryBytes: process.memoryUsage.rss(),
  }
}

/**
 * Returns the limit that was exceeded. The time is CPU time, so that a busy machine does not make statements
 * fail.
 */
function limitPassed({ limits, ...start }: Work, now: Measured): BudgetLimit | undefined {
  if (now.memoryBytes - start.memoryBytes > limits.memoryBytes) return 'memory'
  const wallMs = now.wallMs - start.wallMs
  const workedMs = Math.min(wallMs, now.cpuMs - start.cpuMs)
  return workedMs > limits.timeMs || wallMs > limits.timeMs * waitingFactor ? 'time' : undefined
}
