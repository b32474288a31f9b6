/** The shape of a hover. */
import type { Range } from '../../text/range.ts'

export interface Hover {
  /** The range in the file of what is explained. */
  readonly range: Range
  readonly markdown: string
}
