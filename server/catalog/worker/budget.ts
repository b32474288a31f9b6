/**
 * Watches over what runs in this process, from the thread that DuckDB leaves alone. DuckDB does not listen while it parses
 * or works out constants, and no allocation of its parser counts for its own limit: so the process is measured.
 */
import type { BudgetLimit, Limits } from '../limits.ts'

const lookEveryMs = 20
/** Work that waits (for memory, for a busy machine) has so many times the time. */
const waitingFactor = 10

export interface Budget {
  /** What is called at the end says that the work is done. */
  begin(limits: Limits): () => void
}

interface Work {
  readonly limits: Limits
  readonly wallMs: number
  readonly cpuMs: number
  readonly memoryBytes: number
}

export function watchBudget(onOver: (limit: BudgetLimit) => void): Budget {
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
    begin(limits) {
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

/** A machine with much to do makes nothing go over: the time of the processor counts. */
function limitPassed({ limits, ...start }: Work, now: Measured): BudgetLimit | undefined {
  if (now.memoryBytes - start.memoryBytes > limits.memoryBytes) return 'memory'
  const wallMs = now.wallMs - start.wallMs
  const workedMs = Math.min(wallMs, now.cpuMs - start.cpuMs)
  return workedMs > limits.timeMs || wallMs > limits.timeMs * waitingFactor ? 'time' : undefined
}
