/**
 * Values of a cursor that lie more than a day in the future: a time that stands for "never", or an error. A load that began
 * there would pass over all that comes before it, for ever, so that no load does.
 */
import { isPointInTime, type TypeFamily } from '@svc/server/language'
import { timeOf } from './cursor-value.ts'

const dayMs = 86_400_000

/** Returns the day from which on values are far, as text: the clocks of the world are less than a day apart. */
export function firstFarDay(clock: Date): string {
  return new Date(clock.getTime() + 2 * dayMs).toISOString().slice(0, 10)
}

/** Returns whether the greatest value of a cursor, as text, may be far. A text counts if it is written like a time. */
export function mayBeFar(greatest: string, family: TypeFamily, day: string): boolean {
  const time = timeOf(greatest)
  // The engines have times beyond what can be read here: infinity, and years of more than four digits.
  if (time === undefined) return isPointInTime(family)
  return (isPointInTime(family) || family === 'text') && time >= Date.parse(day)
}
