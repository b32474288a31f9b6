/**
 * What a run says while it works: one typed union, whole facts, in the order in which they happen. Renderers turn it
 * into terminal lines, plain lines or NDJSON (`--log-format json`); the dashboard streams it.
 */

import type { MaterializeKind } from '@svc/server/language'
import type { DriftChange } from '../ingest/source-drift.ts'
import type { TestResult } from '../quality/test-result.ts'
import type { AssetOutcome, RunKind, RunStatus, StateSnapshot } from '../state/state.ts'
import type { DebugEvent } from './debug-events.ts'
import type { AssetRejects } from './run-progress.ts'

export type RunStage = 'fetch' | 'build' | 'test' | 'promote' | 'collect'

export interface PendingAsset {
  readonly asset: string
  /** Empty: it can begin. */
  readonly after: readonly string[]
}

export type RunEvent =
  | DebugEvent
  | {
      readonly type: 'run-started'
      readonly runId: string
      readonly kind: RunKind
      readonly environment: string
      /** As it was asked for; null: all assets. */
      readonly selector: string | null
      readonly assets: number
      readonly toFetch: number
      readonly toBuild: number
      readonly at: string
    }
  /** A run begins one of its stages, with this many sources, assets, tests or views before it. */
  | { readonly type: 'stage'; readonly stage: RunStage; readonly items: number }
  /**
   * What is to be built, as far as is known by now, parents first, each with the assets of this run that it waits for.
   * Told again once the sources are fetched; the last one counts.
   */
  | { readonly type: 'pending'; readonly assets: readonly PendingAsset[] }
  /** The process of an earlier run died. */
  | {
      readonly type: 'recovered'
      readonly runId: string
      readonly kind: RunKind | 'gc'
      readonly environment: string
      readonly stoppedAt: string
      /** Since its last sign of life. */
      readonly secondsAgo: number
      readonly production: 'as-before' | 'promoted'
      /** `all` undefined: not known any more. */
      readonly sources: { readonly complete: number; readonly all: number | undefined }
      readonly builds: { readonly complete: number; readonly all: number | undefined }
      /** Who goes on from it. */
      readonly next: 'now' | 'next-run' | 'nothing'
    }
  | { readonly type: 'waiting'; readonly reason: string }
  | { readonly type: 'fetch-started'; readonly asset: string }
  | {
      readonly type: 'fetch-progress'
      readonly asset: string
      readonly rows: number
      readonly bytes: number
      readonly pages: number
      readonly note?: string
    }
  | {
      readonly type: 'fetch-finished'
      readonly asset: string
      readonly rows: number
      readonly bytes: number
      readonly seconds: number
      readonly unchanged: boolean
    }
  /** The source has other tables, columns or types than at its last load, or on one page than on those before. */
  | {
      readonly type: 'source-drift'
      readonly asset: string
      readonly between: 'loads' | 'pages'
      readonly changes: readonly DriftChange[]
    }
  /** What the contract keeps out of the load; `refused`: nothing of it is loaded. */
  | {
      readonly type: 'records-rejected'
      readonly asset: string
      readonly rows: number
      readonly values: number
      readonly columns: readonly string[]
      readonly tables: readonly string[]
      readonly refused: boolean
    }
  /** Records that an earlier load had to leave out are live now. */
  | { readonly type: 'records-replayed'; readonly asset: string; readonly records: number }
  | { readonly type: 'build-started'; readonly asset: string }
  | {
      readonly type: 'build-finished'
      readonly asset: string
      readonly rows: number | undefined
      readonly seconds: number
      readonly materialize: MaterializeKind
    }
  | { readonly type: 'asset-reused'; readonly asset: string }
  | {
      readonly type: 'asset-failed'
      readonly asset: string
      readonly code: string
      readonly message: string
      readonly hint?: string
      readonly place?: string
      readonly seconds: number
    }
  | { readonly type: 'asset-skipped'; readonly asset: string; readonly because: string }
  | { readonly type: 'test-finished'; readonly result: TestResult }
  /** Those of the run's assets, before anything is fetched; one of severity `error` that fails lets no run begin. */
  | {
      readonly type: 'unit-tests-finished'
      readonly passed: number
      readonly warned: number
      readonly unchanged: number
      readonly seconds: number
    }
  | {
      readonly type: 'tests-finished'
      readonly passed: number
      readonly failed: number
      readonly warned: number
      readonly unchanged: number
      readonly seconds: number
    }
  | {
      readonly type: 'promoted'
      readonly views: number
      readonly dropped: number
      readonly generation: number
      readonly seconds: number
    }
  | { readonly type: 'collected'; readonly relations: number; readonly schemas: number }
  | {
      readonly type: 'run-finished'
      readonly runId: string
      readonly kind: RunKind
      readonly environment: string
      readonly selector: string | null
      readonly status: RunStatus
      readonly promoted: boolean
      /** The first one. */
      readonly failure: {
        readonly code: string
        readonly message: string
        readonly asset: string | null
        readonly place: string | null
      } | null
      readonly seconds: number
      readonly at: string
    }

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
