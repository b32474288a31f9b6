/**
 * The plan is data. `plan`, `run --dry-run` and `run` use the same stages; `preview` is that list without the
 * promotion. Made by a pure function of project, analysis, state and options.
 */
import type { AssetChange } from '@svc/server/contract'
import type { Column, Engine, Range } from '@svc/server/language'
import type { DefinitionChange } from './definition-changes.ts'

/** What will become of an asset. `rebuilt`: its own definition is as deployed, but something upstream changed. */

export interface PlannedAsset {
  readonly name: string
  readonly path: string
  readonly change: AssetChange
  /** Has a source to fetch; whether it must be built is known only when its content is. */
  readonly fetches: boolean
  readonly materialize: 'table' | 'view' | 'ephemeral'
  readonly definitionHash: string
  readonly deployedHash: string | undefined
  /** In words: `because daily_delays changed`, `now() is never reused`. */
  readonly reason: string | undefined
  /** Changed keys of the definition, such as `transform`, `deploy.materialize`. */
  readonly changedKeys: readonly string[]
  /** The same with both values; empty where the deployed definition is not known any more. */
  readonly definitionChanges: readonly DefinitionChange[]
  /** Of the live build: what a new one will be like. */
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

export type Stage =
  | { readonly kind: 'fetch'; readonly assets: readonly string[] }
  /** In dependency order; what is reused is in `reuse`. */
  | { readonly kind: 'build'; readonly assets: readonly string[]; readonly reuse: readonly string[] }
  | { readonly kind: 'test'; readonly tests: readonly { readonly asset: string; readonly name: string }[] }
  | { readonly kind: 'promote'; readonly views: readonly string[]; readonly drops: readonly string[] }
  | { readonly kind: 'collect' }

export interface Plan {
  /** Of the project: reads its SQL. */
  readonly engine: Engine
  readonly environment: string
  readonly schema: string
  readonly warehouse: string
  /** Undefined: all assets. */
  readonly selector: string | undefined
  readonly assets: readonly PlannedAsset[]
  readonly stages: readonly Stage[]
  /** Descendants that the selection leaves behind on their old builds. */
  readonly leftBehind: readonly string[]
  /** Exposures that rest on something that changes. */
  readonly exposures: readonly { readonly name: string; readonly asset: string }[]
  readonly nothingToDo: boolean
  readonly lastDeployment: { readonly runId: string; readonly finishedAt: string } | undefined
}
