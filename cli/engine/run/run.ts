/** The facts of a run that all its stages share. */

import type { PromotionMode } from '@svc/server/language'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { EmitEvent, RunReport } from './events.ts'
import type { MayReplace } from './replaced-views.ts'
import type { RunProgress } from './run-progress.ts'

export interface RunRequest {
  readonly kind: 'run' | 'preview'
  /** Undefined means all assets. */
  readonly selector: string | undefined
  readonly noIngest: boolean
  readonly allTests: boolean
  /** How much is promoted if something fails; what the environment says if undefined. */
  readonly promotion?: PromotionMode | undefined
  /**
   * The number of sources fetched, and relations built, concurrently; undefined means a number that suits the
   * machine.
   */
  readonly threads?: number | undefined
  /** Whether new warnings fail it before its promotion; what the environment says if undefined. */
  readonly strict?: boolean | undefined
  /** Whether this is a plan, which shows readers of columns that go away where a run refuses them. */
  readonly dryRun?: boolean
  /** What is built anew although nothing changed. */
  readonly refresh?: 'all' | { readonly selector: string } | undefined
  /** The variables that the command line sets, which the workspace was opened with; a retry opens it with them again. */
  readonly vars?: Readonly<Record<string, string>> | undefined
  /** Asked before views that somebody replaced are; without it they are refused. */
  readonly mayReplace?: MayReplace | undefined
  /** The salt of its keys: the id of this run, or of the run that is retried; absent in a plan. */
  readonly refreshSalt?: string | undefined
  /** The keys of loads to reuse instead of fetching, by asset: those of the run that is retried. */
  readonly loads?: ReadonlyMap<string, string>
}

/** Returns whether assets that passed are promoted although others failed. */
export function promotesPassed({ workspace, request }: Pick<Run, 'workspace' | 'request'>): boolean {
  return request.kind === 'run' && (request.promotion ?? workspace.environment.promotion) === 'passed'
}

/** Called with the report while the warehouse is being closed. */
export type AfterRun = (report: RunReport) => Promise<void>

export interface Run {
  readonly workspace: Workspace
  readonly request: RunRequest
  readonly runId: string
  readonly warehouse: Warehouse
  /** Throws SvcError `lease-lost`. */
  readonly assertHeld: () => Promise<void>
  readonly emit: EmitEvent
  readonly startedAt: Date
  readonly progress: RunProgress
}
