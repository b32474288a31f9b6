/** `svc plan` and `run --dry-run`: the plan of what a run would do now. Reads the warehouse, changes nothing. */
import { newestLoad } from '../plan/last-load.ts'
import type { Plan } from '../plan/plan.ts'
import { emptyState, readDrift, readState } from '../state/read-state.ts'
import type { BuildRecord, DriftRecord, StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openOptions } from './begin-run.ts'
import type { EmitEvent } from './events.ts'
import { prepareRun } from './prepare-run.ts'
import type { RunRequest } from './run-project.ts'
import { findStopped } from './stopped-run.ts'

export interface PlanGround {
  readonly plan: Plan
  readonly state: StateSnapshot
  /** Sources of the plan that changed between the pages of their last load. */
  readonly drifted: readonly DriftedLoad[]
}

export interface DriftedLoad {
  readonly load: BuildRecord
  readonly changes: DriftRecord['changes']
}

/** SvcError `invalid-project`, `unknown-asset`, `parent-not-built`, `foreign-object`. */
export async function planGround(
  workspace: Workspace,
  request: RunRequest,
  emit: EmitEvent,
): Promise<PlanGround> {
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('read', openOptions(workspace, emit))
  try {
    const { stateName: name } = workspace.environment
    const state = session === undefined ? emptyState(name) : await readState(session, name)
    for (const event of await findStopped(workspace, state)) emit(event)
    const { plan } = await prepareRun(
      session,
      state,
      workspace,
      { ...request, dryRun: true },
      warehouse.shortLabel,
    )
    return { plan, state, drifted: await driftedLoads(session, state, plan) }
  } finally {
    await session?.close()
  }
}

export async function planRun(workspace: Workspace, request: RunRequest, emit: EmitEvent): Promise<Plan> {
  return (await planGround(workspace, request, emit)).plan
}

/** In the order of the plan. A source that was loaded again since has nothing to tell any more. */
async function driftedLoads(
  session: WarehouseSession | undefined,
  state: StateSnapshot,
  { assets }: Plan,
): Promise<DriftedLoad[]> {
  if (session === undefined || state.builds.size === 0) return []
  const byLoad = new Map((await readDrift(session)).map(record => [record.load_key, record]))
  if (byLoad.size === 0) return []
  return assets.flatMap(({ name, fetches, change }) => {
    const load = fetches && change !== 'removed' ? newestLoad(state, name) : undefined
    const record = byLoad.get(load?.build_key ?? '')
    return load === undefined || record === undefined ? [] : [{ load, changes: record.changes }]
  })
}
