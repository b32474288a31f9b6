/** `svc plan` and `run --dry-run`: returns the plan of a run. Reads the warehouse and changes nothing. */

import { join } from 'node:path'
import type { RunEvent } from '@svc/server/contract'
import { newestLoad } from '../plan/last-load.ts'
import type { Plan } from '../plan/plan.ts'
import { type BuildRecord, type DriftRecord, emptyState, type StateSnapshot } from '../state/state.ts'
import type { WarehouseReader } from '../warehouse/warehouse.ts'
import { type FileWarning, fileWarnings } from '../workspace/file-warnings.ts'
import { withReader } from '../workspace/remembered-warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openOptions } from './begin-run.ts'
import type { EmitEvent } from './events.ts'
import { type Refusal, refusalsOf } from './history-lost.ts'
import { type MarkDifference, markDifferences } from './mark-changes.ts'
import { type DefinitionsOf, type PreparedRun, prepareRun } from './prepare-run.ts'
import type { RunRequest } from './run.ts'
import { findStopped } from './stopped-run.ts'

export interface PlannedRun {
  readonly plan: Plan
  readonly state: StateSnapshot
  /** The sources of the plan that changed between the pages of their last load. */
  readonly drifted: readonly DriftedLoad[]
  /** What the files ask for that a run does not do, and what policies say without stopping it. */
  readonly fileWarnings: readonly FileWarning[]
  readonly marks: readonly MarkDifference[]
  /** What a run would refuse, because rows that loads have gathered would go. */
  readonly refusals: readonly Refusal[]
  /** What somebody did to relations of the assets, by asset. */
  readonly repairs: PreparedRun['repairs']
}

export interface DriftedLoad {
  readonly load: BuildRecord
  readonly changes: DriftRecord['changes']
}

/** Throws SvcError `invalid-project`, `unknown-asset`, `parent-not-built`, `foreign-object`. */
export async function planWithState(
  workspace: Workspace,
  request: RunRequest,
  emit: EmitEvent,
): Promise<PlannedRun> {
  const warehouse = await workspace.warehouse()
  const memory = {
    warehouse,
    path: join(workspace.root, '.svc', 'cache', 'warehouse'),
    program: workspace.world.program,
    options: openOptions(workspace, emit),
  }
  const { stopped, ...planned } = await withReader(memory, reader =>
    readPlan(reader, workspace, request, warehouse.shortLabel),
  )
  for (const event of stopped) emit(event)
  return planned
}

async function readPlan(
  reader: WarehouseReader | undefined,
  workspace: Workspace,
  request: RunRequest,
  label: string,
): Promise<PlannedRun & { readonly stopped: readonly RunEvent[] }> {
  const { stateName: name } = workspace.environment
  const state = reader === undefined ? emptyState(name) : await reader.state.read(name)
  const stopped = await findStopped(workspace, state)
  const definitionsOf = await deployedDefinitions(reader, state)
  const dryRun = { ...request, dryRun: true }
  const prepared = await prepareRun(reader, state, workspace, dryRun, label, definitionsOf)
  const { plan, analysis, names, repairs } = prepared
  return {
    plan,
    state,
    repairs,
    drifted: await driftedLoads(reader, state, plan),
    stopped,
    fileWarnings: fileWarnings(workspace, analysis, names),
    refusals: await refusalsOf(reader, workspace.project, plan),
    marks: reader === undefined ? [] : await markDifferences(reader.state, workspace, state, names),
  }
}

/**
 * The definitions are queried even if nothing was modified, so that the result is cached for the next plan.
 */
async function deployedDefinitions(
  reader: WarehouseReader | undefined,
  state: StateSnapshot,
): Promise<DefinitionsOf | undefined> {
  if (reader === undefined || state.live.size === 0) return undefined
  const textOf = await reader.state.liveDefinitions(state.environment)
  return async hashes =>
    new Map(
      hashes.flatMap(hash => {
        const text = textOf(hash)
        return text === undefined ? [] : [[hash, text] as const]
      }),
    )
}

export async function planRun(workspace: Workspace, request: RunRequest, emit: EmitEvent): Promise<Plan> {
  return (await planWithState(workspace, request, emit)).plan
}

/** Returns the drift in the order of the plan. A source that was loaded again since has none. */
async function driftedLoads(
  reader: WarehouseReader | undefined,
  state: StateSnapshot,
  { assets }: Plan,
): Promise<DriftedLoad[]> {
  if (reader === undefined || state.builds.size === 0) return []
  const byLoad = new Map((await reader.state.drift()).map(record => [record.load_key, record]))
  if (byLoad.size === 0) return []
  return assets.flatMap(({ name, fetches, change }) => {
    const load = fetches && change !== 'removed' ? newestLoad(state, name) : undefined
    const record = byLoad.get(load?.build_key ?? '')
    return load === undefined || record === undefined ? [] : [{ load, changes: record.changes }]
  })
}
