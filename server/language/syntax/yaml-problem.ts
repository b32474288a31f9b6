import type { Facts } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'

/** A YAML syntax problem, before its file is known. */
export interface YamlProblem {
  readonly code: string
  readonly range: Range
  readonly message: string
  readonly hint?: string
  readonly facts?: Facts
}
