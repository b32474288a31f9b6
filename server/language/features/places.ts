/** How the features of the editor name places in files. */
import type { Range } from '../text/range.ts'

export interface Place {
  /** Relative to the project's root. */
  readonly path: string
  readonly range: Range
}

/** A place that something leads to: `range` is what is marked, `fullRange` what is shown around it. */
export interface Target extends Place {
  readonly fullRange: Range
}
