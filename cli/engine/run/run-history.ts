/** Writes the row of a run in the history of its environment, at its start and at its end. */
import { finishHistory, type StateChange } from '../state/changes.ts'
import type { HistoryRecord, StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { runOrigin } from './run-origin.ts'
import { historyAssets } from './run-report.ts'

/** Returns the row of a running run, with the progress of its assets. */
export function historyRow(run: Run, { state, names, full, identities }: PreparedRun): HistoryRecord {
  return {
    run_id: run.runId,
    environment: run.workspace.environment.stateName,
    kind: run.request.kind,
    selector: run.request.selector ?? null,
    status: 'running',
    started_at: run.startedAt.toISOString(),
    finished_at: null,
    generation: null,
    from_generation: state.generation,
    assets: historyAssets(state, names, full, identities.definitionHash, run.progress),
    error: null,
    ...runOrigin(run.workspace),
    refused: false,
  }
}

/** Ends a run without promotion: a preview, or a run in which something failed. */
export async function endUnpromoted(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  changes: readonly StateChange[],
): Promise<void> {
  const { failure } = run.progress
  const row: HistoryRecord = {
    ...historyRow(run, prepared),
    status: failure === undefined ? 'deployed' : 'Failed',
    finished_at: run.workspace.world.now().toISOString(),
    error: failure?.message ?? null,
  }
  await session.state.commit([...changes, ...finishHistory(row)])
}

/**
 * Returns the row of a run that was refused before its first step. It has no assets: nothing is known of them, and nothing was
 * done.
 */
export function refusedRow(run: Run, state: StateSnapshot, error: unknown): HistoryRecord {
  return {
    run_id: run.runId,
    environment: run.workspace.environment.stateName,
    kind: run.request.kind,
    selector: run.request.selector ?? null,
    status: 'Failed',
    started_at: run.startedAt.toISOString(),
    finished_at: run.workspace.world.now().toISOString(),
    generation: null,
    from_generation: state.generation,
    assets: [],
    error: error instanceof Error ? error.message : String(error),
    ...runOrigin(run.workspace),
    refused: true,
  }
}

/** Ends a run that threw an exception, in a new session. */
export async function markFailed(run: Run, prepared: PreparedRun, error: unknown): Promise<void> {
  const { warehouse, workspace } = run
  const message = error instanceof Error ? error.message : String(error)
  const session = await warehouse.open('write', { waitMs: 2000 })
  try {
    await session.state.commit(
      finishHistory({
        ...historyRow(run, prepared),
        status: 'Failed',
        finished_at: workspace.world.now().toISOString(),
        error: message,
      }),
    )
  } finally {
    await session.close()
  }
}
