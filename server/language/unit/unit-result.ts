/** The result of a unit test, as plain JSON: it is kept from one command to the next. */
import type { UnitDiff } from '../../contract/index.ts'
import type { TestSeverity } from '../schema/definition.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'

export interface UnitTestResult {
  readonly name: string
  /** The position in the file's `tests` list. */
  readonly index: number
  readonly severity: TestSeverity
  readonly status: 'pass' | 'fail'
  readonly seconds: number
  /** The range in the file of the test's name or key. */
  readonly range: Range
  /** The message of a failed test, in one clause. */
  readonly message?: string
  /** The difference, for a test with other rows than expected. */
  readonly diff?: UnitDiff
  /** The diagnostics in the file. */
  readonly diagnostics: readonly Diagnostic[]
  /** It failed on types that were guessed, because a source is not known yet: it is judged when that was looked at. */
  readonly waits?: true
  /** The test exceeded a limit, which depends on the machine, so the result is not reused. */
  readonly stopped?: true
  /** False for the result of an earlier analysis whose inputs have not changed. */
  readonly ran: boolean
  /** When it ran, as ISO 8601 UTC; absent in what an older svc kept. */
  readonly at?: string
}

export type { UnitDiff }
export type UnitDiffRow = UnitDiff['rows'][number]
export type UnitDiffCell = UnitDiffRow['cells'][number]

/** The maximum number of rows in a diff. */
export const shownRows = 100
