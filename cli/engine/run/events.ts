/** Who hears what a run says, and what is reported of it in the end. */
import type { AssetOutcome, RunEvent, RunKind, RunStatus, TestResult } from '@svc/server/contract'
import type { StateSnapshot } from '../state/state.ts'
import type { AssetRejects } from './run-progress.ts'

export type EmitEvent = (event: RunEvent) => void

export interface RunReport {
  readonly runId: string
  readonly kind: RunKind
  readonly environment: string
  readonly status: RunStatus
  readonly startedAt: string
  readonly finishedAt: string
  readonly seconds: number
  readonly generation: number | undefined
  readonly promotedViews: number
  readonly assets: readonly {
    readonly name: string
    readonly status: AssetOutcome
    readonly rows: number | undefined
    readonly seconds: number
    readonly definitionHash: string
  }[]
  readonly tests: readonly TestResult[]
  /** What contracts keep out of the loads of this run, also of those that it found unchanged. */
  readonly rejects: readonly ({ readonly asset: string } & AssetRejects)[]
  readonly leftBehind: readonly string[]
  /** The state tables after it, where somebody has looked. */
  readonly state?: StateSnapshot
  /** What was live when it began; absent where nothing was, or nobody asked. */
  readonly before?: { readonly runId: string; readonly finishedAt: string } | undefined
  /** The first failure, with the exit code of its cause. */
  readonly failure:
    | {
        readonly code: string
        readonly message: string
        readonly hint?: string
        readonly asset?: string
        readonly place?: string
        readonly exitCode: number
      }
    | undefined
}
