import type { UnitDiff } from '@svc/server/language'

/** The outcome of one test. `execution_time` of interface.md 2.14 is `seconds`. */
export interface TestResult {
  readonly asset: string
  readonly name: string
  readonly kind: string
  readonly column: string | undefined
  readonly severity: 'error' | 'warn'
  /** A warned test is `fail` with severity `warn` and does not block. */
  readonly status: 'pass' | 'fail'
  /** Failing rows, groups or the missed bound, by kind. */
  readonly failures: number
  readonly message: string | undefined
  /** Some of the failing rows, personal data masked. */
  readonly sample: readonly Readonly<Record<string, unknown>>[]
  /** Of a unit test that gave other rows than expected. */
  readonly diff?: UnitDiff
  readonly seconds: number
  /** False: the last result stands, because neither the test nor what it reads changed. */
  readonly ran: boolean
  /** `path:line:column` of the test in the file. */
  readonly place: string
}
