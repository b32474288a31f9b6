/** What came of a unit test. Plain JSON: it is kept from one command to the next. */
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

export interface UnitDiff {
  /** Those that are expected, in the order of their first mention; where nothing is, all that came. */
  readonly columns: readonly string[]
  /** Worst first is of no use here: in the order of the file, then what came besides. At most {@link shownRows}. */
  readonly rows: readonly UnitDiffRow[]
  /** Further rows that differ. */
  readonly more: number
  /** Numbers of rows. */
  readonly expected: number
  readonly actual: number
}

export const shownRows = 100

export interface UnitDiffRow {
  readonly kind: 'changed' | 'missing' | 'unexpected'
  /** Position in `expect`; absent of what came besides. */
  readonly row?: number
  /** One for each of the diff's columns. */
  readonly cells: readonly UnitDiffCell[]
}

export interface UnitDiffCell {
  /** As the warehouse writes it, null for NULL; absent: the row does not look at this column, or is not expected. */
  readonly expected?: string | null
  /** Absent: there is no such row. */
  readonly actual?: string | null
  readonly same: boolean
}
