/**
 * The plan is data. `plan` and `run --dry-run` show its steps and `run` executes them; a `preview` has no promotion among
 * them. Made by a pure function of project, analysis, state and options.
 */
import type { AssetChange } from '@svc/server/contract'
import type { Column, Engine, MaterializeKind, Range } from '@svc/server/language'
import type { DefinitionChange } from './definition-changes.ts'
import type { Step } from './step.ts'

export interface PlannedAsset {
  readonly name: string
  readonly path: string
  readonly change: AssetChange
  /** Has a source to fetch; whether it must be built is known only when its content is. */
  readonly fetches: boolean
  readonly materialize: MaterializeKind
  readonly definitionHash: string
  readonly deployedHash: string | undefined
  /** In words: `because daily_delays changed`, `now() is never reused`. */
  readonly reason: string | undefined
  /** Changed keys of the definition, such as `transform`, `deploy.materialize`. */
  readonly changedKeys: readonly string[]
  /** The same with both values; empty where the deployed definition is not known any more. */
  readonly definitionChanges: readonly DefinitionChange[]
  /** The size of the live build says about what a new one will have. */
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
  /** Downstream columns and conditions that rest on a removed or retyped column. */
  readonly breaks: readonly Breakage[]
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
  /** Undefined: all assets. */
  readonly selector: string | undefined
  readonly assets: readonly PlannedAsset[]
  readonly steps: readonly Step[]
  /** Descendants that the selection leaves behind on their old builds. */
  readonly leftBehind: readonly string[]
  /** Exposures that rest on something that changes. */
  readonly exposures: readonly { readonly name: string; readonly asset: string }[]
  readonly nothingToDo: boolean
  readonly lastDeployment: { readonly runId: string; readonly finishedAt: string } | undefined
}
