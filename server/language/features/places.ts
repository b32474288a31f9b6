/** The shapes of places that editor features return. */
import type { Range } from '../text/range.ts'

export interface Place {
  /** The path relative to the project's root. */
  readonly path: string
  readonly range: Range
}

/** The target of a link: `range` is selected, `fullRange` is shown around it. */
export interface Target extends Place {
  readonly fullRange: Range
}
