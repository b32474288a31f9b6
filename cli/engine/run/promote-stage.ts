/** The last stages of a run: promotes all its builds in one transaction, then collects garbage. */
import { messageOf, SvcError } from '../errors.ts'
import type { PromoteStep } from '../plan/step.ts'
import type { StateChange } from '../state/changes.ts'
import type { BuildRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { collectAll, type IdleRun, tellCollected } from './collect-all.ts'
import { type Deployed, deploy } from './deploy.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { historyRow } from './run-history.ts'

/** Commits `changes` together with the promotion. */
export async function promoteStage(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  { moves, views }: PromoteStep,
  builds: ReadonlyMap<string, BuildRecord>,
  changes: readonly StateChange[],
): Promise<Deployed> {
  const { workspace, emit, assertHeld } = run
  workspace.signal.throwIfAborted()
  emit({ type: 'stage', stage: 'promote', items: views })
  const deployed = await deploy(session, {
    assertHeld,
    state: prepared.state,
    map: builds,
    moves,
    definitionOf: name => workspace.project.byName.get(name)?.definition,
    history: { ...historyRow(run, prepared), finished_at: workspace.world.now().toISOString() },
    changes,
    problem: run.progress.failure?.message,
    emit,
  })
  run.progress.promoted = true
  const { moved, history: _history, ...promoted } = deployed
  if (moved || deployed.granted > 0) emit({ type: 'promoted', ...promoted })
  return deployed
}

export async function collectStage(
  session: WarehouseSession,
  run: Run,
  idle: IdleRun | undefined,
): Promise<void> {
  const { workspace, warehouse, runId, emit } = run
  emit({ type: 'stage', stage: 'collect', items: 0 })
  try {
    tellCollected(await collectAll({ session, workspace, warehouse, runId, idle }), emit)
  } catch (cause) {
    throw new SvcError(
      'warehouse-failed',
      `run ${runId} is deployed, but old builds could not be deleted: ${messageOf(cause)}`,
      {
        hint: 'Production is complete; the next run tries to delete them again.',
        cause,
      },
    )
  }
}
