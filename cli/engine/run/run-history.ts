/** The row of a run in the history of its environment, from its beginning to its end. */
import type { HistoryRecord } from '../state/state.ts'
import { finishHistory } from '../state/statements.ts'
import type { Statement, WarehouseSession } from '../warehouse/warehouse.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { historyAssets } from './run-report.ts'

/** While it works; what has become of its assets so far is in it. */
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
  }
}

/** Ends a run that promotes nothing: a preview, or one in which something failed. */
export async function endUnpromoted(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  statements: readonly Statement[],
): Promise<void> {
  const { failure } = run.progress
  const row: HistoryRecord = {
    ...historyRow(run, prepared),
    status: failure === undefined ? 'deployed' : 'Failed',
    finished_at: run.workspace.world.now().toISOString(),
    error: failure?.message ?? null,
  }
  await session.transaction([...statements, ...finishHistory(session.dialect, row)])
}

/** A run that ends with an exception, in a session of its own. */
export async function markFailed(run: Run, prepared: PreparedRun, error: unknown): Promise<void> {
  const { warehouse, workspace } = run
  const message = error instanceof Error ? error.message : String(error)
  const session = await warehouse.open('write', { waitMs: 2000 })
  try {
    await session.transaction(
      finishHistory(session.dialect, {
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
