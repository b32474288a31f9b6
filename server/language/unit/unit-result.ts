/** What came of a unit test. Plain JSON: it is kept from one command to the next. */
import type { UnitDiff } from '../../contract/index.ts'
import type { TestSeverity } from '../schema/definition.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'

export interface UnitTestResult {
  readonly name: string
  /** Position in the file's `tests` list. */
  readonly index: number
  readonly severity: TestSeverity
  readonly status: 'pass' | 'fail'
  readonly seconds: number
  /** In the file: the test's name, or its key. */
  readonly range: Range
  /** Of a failed one, in one clause. */
  readonly message?: string
  /** Of one that gave other rows than expected. */
  readonly diff?: UnitDiff
  /** What the file shows of it. */
  readonly diagnostics: readonly Diagnostic[]
  /** How long it took says more about the machine than about the test: it is not to be believed later. */
  readonly stopped?: true
  /** False: found out by an earlier analysis, and nothing that it rests on has changed. */
  readonly ran: boolean
}

export type { UnitDiff }
export type UnitDiffRow = UnitDiff['rows'][number]
export type UnitDiffCell = UnitDiffRow['cells'][number]

/** Rows of a diff at most. */
export const shownRows = 100
