/** The moment from which on the versions of a load are valid. */
import type { FetchContext } from '../source.ts'

/** Clocks of machines differ by less without anybody being surprised. */
const usualDifferenceMs = 1000

/**
 * Returns the time as ISO text: that of this machine, but behind every moment of the load that is continued. Where the clock of
 * another machine was ahead, versions would else end before they begin.
 */
export function loadTime({ now, base, onWarning }: FetchContext): string {
  const clock = now()
  const last = base?.lastMomentMs
  if (last === undefined || clock.getTime() > last) return clock.toISOString()
  const time = new Date(last + 1).toISOString()
  const behindMs = last - clock.getTime()
  if (behindMs > usualDifferenceMs)
    onWarning?.({
      code: 'clock-behind',
      message: `the clock of this machine is ${Math.ceil(behindMs / 1000)} s behind that of the last load, so that versions begin and end at ${time}`,
      hint: 'Set the clocks of all machines that load this asset by one source of time.',
    })
  return time
}
