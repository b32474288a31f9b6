/** What hover shows. */
import type { Range } from '../../text/range.ts'

export interface Hover {
  /** Of what is explained, in the file. */
  readonly range: Range
  readonly markdown: string
}
