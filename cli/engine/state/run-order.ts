/** The order of the runs of one environment. */
import type { RunSummary } from './state.ts'

/**
 * Compares two runs, newest first: by what was live when they ended and when they started, because generations only grow,
 * while a clock may be turned back. Within a generation the clock decides.
 */
export function newestFirst(a: RunSummary, b: RunSummary): number {
  return (
    (b.generation ?? b.from_generation) - (a.generation ?? a.from_generation) ||
    b.from_generation - a.from_generation ||
    compare(b.started_at, a.started_at) ||
    compare(b.run_id, a.run_id)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
