/** A stretch of a text: UTF-16 offsets, `end` exclusive. The only notion of place below the edges. */
export interface Range {
  readonly start: number
  readonly end: number
}

export const emptyRange: Range = { start: 0, end: 0 }

/** Maps a place in a generated text back to the text that it came from (compiled SQL -> file). */
export interface PositionMap {
  /** The offset in the original of the generated character at `offset`. */
  toOriginal(offset: number): number
  /** The smallest original range that produced `range`; a range inside a replaced tag gives the whole tag. */
  rangeToOriginal(range: Range): Range
}
