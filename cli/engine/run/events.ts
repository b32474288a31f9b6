/** The events of a run, and its final report. */
import type { AssetOutcome, RunEvent, RunKind, RunStatus, TestResult, Warning } from '@svc/server/contract'
import type { Diagnostic } from '@svc/server/language'
import type { LiveTimes } from '../quality/live-times.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Failure } from './asset-failure.ts'
import type { AssetRejects } from './run-progress.ts'

export type EmitEvent = (event: RunEvent) => void

export interface RunReport {
  readonly runId: string
  readonly kind: Exclude<RunKind, 'publish'>
  readonly environment: string
  /** Present where a git branch decides the schema. */
  readonly branchSchema?: { readonly schema: string; readonly branch: string } | undefined
  readonly status: RunStatus
  readonly startedAt: string
  readonly finishedAt: string
  readonly seconds: number
  readonly generation: number | undefined
  readonly promotedViews: number
  readonly removedViews: number
  /** The number of views whose readers changed. */
  readonly grantedViews: number
  readonly assets: readonly {
    readonly name: string
    readonly status: AssetOutcome
    readonly rows: number | undefined
    readonly seconds: number
    readonly definitionHash: string
    /** Why it failed, was skipped or is kept. */
    readonly because?: string | undefined
    /** `path:line:column` of its own failure. */
    readonly place?: string | undefined
  }[]
  readonly tests: readonly TestResult[]
  /** What contracts rejected in the loads of this run, including loads that it reused. */
  readonly rejects: readonly ({ readonly asset: string } & AssetRejects)[]
  readonly leftBehind: readonly string[]
  /** The assets that failed, or read such ones, and keep their live builds while the others were promoted. */
  readonly kept: readonly {
    readonly asset: string
    readonly because: string
    /** When its live build was deployed; null if it has none. */
    readonly since: string | null
  }[]
  /** The state tables after the run, if they were read. */
  readonly state?: StateSnapshot
  /** The builds that a promotion or a rollback has made live, none of which it made itself. */
  readonly moved?: readonly BuildRecord[]
  /** The clocks of what is live by then, if the state was read. */
  readonly times?: LiveTimes
  /** The run that was live when this run began; absent if there was none, or it was not read. */
  readonly before?: { readonly runId: string; readonly finishedAt: string } | undefined
  /** The errors of files by which assets failed; empty if none did. */
  readonly problems?: readonly Diagnostic[]
  /** Everything that the run has warned of; tests that warn are among the tests. */
  readonly warnings: readonly Warning[]
  /** The first failure, with the exit code of its cause. */
  readonly failure: Failure | undefined
}
