import type { Range } from '../text/range.ts'

/** A problem of YAML syntax, before it is known in which file. */
export interface YamlProblem {
  readonly code: string
  readonly range: Range
  readonly message: string
  readonly hint?: string
}
