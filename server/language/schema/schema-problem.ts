import type { Range } from '../text/range.ts'

/** A problem found by the schema, before it is known in which file. */
export interface SchemaProblem {
  readonly code: string
  readonly range: Range
  readonly message: string
  readonly hint?: string
  /** The nearest right names, best first. */
  readonly suggestions?: readonly string[]
  /** Text that mends it when it replaces `range`. */
  readonly replacement?: string
  /** Of `missing-key`: the name of the key. */
  readonly missing?: string
}
