/** Where the marks of a small plot are: durations, row counts, results over time. Pure; units are those of a view box. */
export interface PlotPoint {
  readonly x: number
  readonly y: number
}
/** Bars from the oldest (left) to the newest; a bar of no height is still seen. */
export declare function barHeights(values: readonly (number | null)[], height: number): readonly number[]
/** Lines from oldest to newest, broken where a value is missing. The scale begins at 0 unless values are far from it. */
export declare function lineSegments(
  values: readonly (number | null)[],
  width: number,
  height: number,
): readonly (readonly PlotPoint[])[]
