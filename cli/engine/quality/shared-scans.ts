/**
 * Finds out which stored results came from one scan: all tests of a scan have its time, to the last digit, so that
 * run and time identify it.
 */
import type { SharedScan } from '@svc/server/contract'

export interface Timed {
  readonly run_id: string
  readonly seconds: number
}

/** Returns how many of the results share the scan of one; undefined if it has a time of its own. */
export function sharedScans(results: Iterable<Timed>): (result: Timed) => SharedScan | undefined {
  const sizes = new Map<string, number>()
  for (const result of results) sizes.set(keyOf(result), (sizes.get(keyOf(result)) ?? 0) + 1)
  return result => {
    const tests = sizes.get(keyOf(result)) ?? 1
    return tests > 1 ? { tests } : undefined
  }
}

function keyOf({ run_id, seconds }: Timed): string {
  return `${run_id} ${seconds}`
}
