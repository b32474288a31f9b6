/**
 * The plan as data. `plan` and `run --dry-run` show its steps and `run` executes them; a `preview` has no
 * promotion among them. A pure function makes it from project, analysis, state and options.
 */
import type { AssetChange } from '@svc/server/contract'
import type { ChangesTold, Column, ColumnReach, Engine, MaterializeKind, Range } from '@svc/server/language'
import type { DefinitionChange } from './definition-changes.ts'
import type { GatheredRows } from './gathered-rows.ts'
import type { Step } from './step.ts'

export interface PlannedAsset {
  readonly name: string
  readonly path: string
  readonly change: AssetChange
  /** Whether it has a source to fetch; only the content shows whether the asset has to be built. */
  readonly fetches: boolean
  /** By what the user says that the rows of its source have changed; absent where a run reads them. */
  readonly told?: ChangesTold | undefined
  readonly materialize: MaterializeKind
  readonly definitionHash: string
  readonly deployedHash: string | undefined
  /** The reason in words: `because daily_delays changed`, `now() is never reused`. */
  readonly reason: string | undefined
  /** Of a removed asset: what goes with the last kept run that has it, in words. */
  readonly loses?: string | undefined
  /** The rows that its loads have gathered; undefined where they gather none. */
  readonly gathered?: GatheredRows | undefined
  /** The changed keys of the definition, such as `transform`, `deploy.materialize`. */
  readonly changedKeys: readonly string[]
  /** The changed keys with both values; empty if the deployed definition is no longer known. */
  readonly definitionChanges: readonly DefinitionChange[]
  /** The size of the live build, as an estimate for the new one. */
  readonly liveRows: number | undefined
  readonly liveSeconds: number | undefined
  readonly columnChanges: readonly ColumnChange[]
  readonly columns: readonly Column[]
}

export interface ColumnChange {
  readonly kind: 'added' | 'removed' | 'retyped'
  readonly column: string
  readonly fromType?: string | undefined
  readonly toType?: string | undefined
  /** The downstream columns and conditions that depend on a removed or retyped column. */
  readonly breaks: readonly Breakage[]
  /** All that has something of a removed or retyped column, as its path is drawn; absent if that is not known. */
  readonly reach?: ColumnReach | undefined
}

export interface Breakage {
  readonly asset: string
  readonly path: string
  readonly column: string
  readonly range: Range
}

export interface Plan {
  /** The project's engine, which reads its SQL. */
  readonly engine: Engine
  readonly environment: string
  readonly schema: string
  readonly warehouse: string
  /** Undefined means all assets. */
  readonly selector: string | undefined
  readonly assets: readonly PlannedAsset[]
  readonly steps: readonly Step[]
  /** The descendants that are not selected, and so stay on their old builds. */
  readonly leftBehind: readonly string[]
  /** The exposures that depend on something that changes. */
  readonly exposures: readonly { readonly name: string; readonly asset: string }[]
  readonly nothingToDo: boolean
  readonly lastDeployment: { readonly runId: string; readonly finishedAt: string } | undefined
  /** The assets of the plan whose last run failed. */
  readonly lastFailures: readonly LastFailure[]
}

export interface LastFailure {
  readonly asset: string
  readonly runId: string
  readonly finishedAt: string
  /** Null in runs of an older svc. */
  readonly because: string | null
}
