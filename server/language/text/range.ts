/**
 * A range of a text: UTF-16 offsets, `end` exclusive. Line and column numbers exist only at the edges of the
 * program.
 */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Returns whether an offset is in a range or at one of its ends. */
export function isWithin({ start, end }: Range, offset: number): boolean {
  return start <= offset && offset <= end
}

/** Returns whether two ranges overlap or meet. */
export function touches(a: Range, b: Range): boolean {
  return a.start <= b.end && b.start <= a.end
}

export const emptyRange: Range = { start: 0, end: 0 }

/** Maps positions in a generated text to its original (compiled SQL to file). */
export interface PositionMap {
  /** Returns the original offset of the generated character at `offset`. */
  toOriginal(offset: number): number
  /**
   * Returns the smallest original range that produced `range`; a range inside a replaced tag gives the whole
   * tag.
   */
  rangeToOriginal(range: Range): Range
}
