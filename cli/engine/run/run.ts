/** Every stage of a run is given these facts of it. */
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { EmitEvent, RunReport } from './events.ts'
import type { RunProgress } from './run-progress.ts'

export interface RunRequest {
  readonly kind: 'run' | 'preview'
  /** Undefined: all assets. */
  readonly selector: string | undefined
  readonly noIngest: boolean
  readonly allTests: boolean
  /** Sources fetched and relations built at the same time; undefined: what suits the machine. */
  readonly threads?: number | undefined
  /** A plan: shows readers of columns that go away, where a run refuses them. */
  readonly dryRun?: boolean
  /** Keys of loads to build on instead of fetching, by asset: those of a run that is retried. */
  readonly loads?: ReadonlyMap<string, string>
}

/** What the caller does with a report while the warehouse is closed. */
export type AfterRun = (report: RunReport) => Promise<void>

export interface Run {
  readonly workspace: Workspace
  readonly request: RunRequest
  readonly runId: string
  readonly warehouse: Warehouse
  readonly emit: EmitEvent
  readonly startedAt: Date
  readonly progress: RunProgress
}
