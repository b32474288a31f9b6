/** `svc plan` and `run --dry-run`: the plan of what a run would do now. Reads the warehouse, changes nothing. */
import type { Plan } from '../plan/plan.ts'
import { emptyState, readState } from '../state/read-state.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openOptions } from './begin-run.ts'
import type { EmitEvent } from './events.ts'
import { prepareRun } from './prepare-run.ts'
import type { RunRequest } from './run-project.ts'
import { findStopped } from './stopped-run.ts'

/** SvcError `invalid-project`, `unknown-asset`, `parent-not-built`, `foreign-object`. */
export async function planRun(workspace: Workspace, request: RunRequest, emit: EmitEvent): Promise<Plan> {
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('read', openOptions(workspace, emit))
  try {
    const { stateName: name } = workspace.environment
    const state = session === undefined ? emptyState(name) : await readState(session, name)
    for (const event of await findStopped(workspace, state)) emit(event)
    const ground = await prepareRun(
      session,
      state,
      workspace,
      { ...request, dryRun: true },
      warehouse.shortLabel,
    )
    return ground.plan
  } finally {
    await session?.close()
  }
}
