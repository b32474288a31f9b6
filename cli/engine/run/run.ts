/** The facts of a run that all its stages share. */
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { EmitEvent, RunReport } from './events.ts'
import type { RunProgress } from './run-progress.ts'

export interface RunRequest {
  readonly kind: 'run' | 'preview'
  /** Undefined means all assets. */
  readonly selector: string | undefined
  readonly noIngest: boolean
  readonly allTests: boolean
  /**
   * The number of sources fetched, and relations built, concurrently; undefined means a number that suits the
   * machine.
   */
  readonly threads?: number | undefined
  /** Whether this is a plan, which shows readers of columns that go away where a run refuses them. */
  readonly dryRun?: boolean
  /** The keys of loads to reuse instead of fetching, by asset: those of the run that is retried. */
  readonly loads?: ReadonlyMap<string, string>
}

/** Called with the report while the warehouse is being closed. */
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
