import type { Facts } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'

/** A problem found by the schema, before its file is known. */
export interface SchemaProblem {
  readonly code: string
  readonly range: Range
  readonly message: string
  readonly hint?: string
  /** The nearest valid names, best first. */
  readonly suggestions?: readonly string[]
  /** The text that corrects the problem when it replaces `range`. */
  readonly replacement?: string
  /** For `missing-key`, the name of the key. */
  readonly missing?: string
  readonly facts?: Facts
}
