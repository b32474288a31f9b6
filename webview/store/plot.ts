/**
 * Computes the marks of a small plot: durations, row counts, results over time. Pure; units are those of a
 * view box.
 */

export interface PlotPoint {
  readonly x: number
  readonly y: number
}

/** Returns the heights of bars from the oldest (left) to the newest; a bar of value 0 is still visible. */
export function barHeights(values: readonly (number | null)[], height: number): readonly number[] {
  const most = Math.max(...values.map(value => value ?? 0), Number.MIN_VALUE)
  return values.map(value => (value === null ? 0 : Math.max(2, (value / most) * height)))
}

/**
 * Returns lines from oldest to newest, broken at missing values. The scale starts at 0 unless all values are
 * far from it.
 */
export function lineSegments(
  values: readonly (number | null)[],
  width: number,
  height: number,
): readonly (readonly PlotPoint[])[] {
  const known = values.filter(value => value !== null)
  const most = Math.max(...known)
  const low = Math.min(...known)
  const least = low > most * 0.5 ? low - (most - low) * 0.2 : 0
  const span = most - least
  const segments: PlotPoint[][] = [[]]
  for (const [index, value] of values.entries()) {
    if (value === null) segments.push([])
    else segments.at(-1)?.push({ x: xOf(index, values.length, width), y: yOf(value, least, span, height) })
  }
  return segments.filter(segment => segment.length > 0)
}

function xOf(index: number, count: number, width: number): number {
  return count === 1 ? width / 2 : round((index / (count - 1)) * width)
}

function yOf(value: number, least: number, span: number, height: number): number {
  return span === 0 ? height / 2 : round(height - ((value - least) / span) * height)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
