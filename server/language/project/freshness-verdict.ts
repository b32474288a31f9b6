/** The rule of `freshness` (interface.md 3.2), for commands, pages and the hosted store alike. Pure. */
import { isAhead } from '../tests/ahead.ts'

export type FreshnessVerdict = 'OK' | 'WARN' | 'ERROR'

export interface FreshnessLimits {
  readonly warnAfterMs?: number | undefined
  readonly errorAfterMs?: number | undefined
}

/**
 * Returns ERROR above `error_after` and WARN above `warn_after`. The clock that says it is older counts; one in the future says
 * nothing about the age of the data, so that nobody may call them fresh.
 * @param ages in milliseconds, one a clock; undefined for one that has to be read and cannot, which is above any limit
 */
export function freshnessVerdict(
  ages: readonly (number | undefined)[],
  { warnAfterMs, errorAfterMs }: FreshnessLimits,
): FreshnessVerdict {
  const age = Math.max(...ages.map(each => each ?? Number.POSITIVE_INFINITY))
  if (errorAfterMs !== undefined && age > errorAfterMs) return 'ERROR'
  if (warnAfterMs !== undefined && age > warnAfterMs) return 'WARN'
  return ages.some(each => each !== undefined && isAhead(each)) ? 'WARN' : 'OK'
}
