/** Writes the row of a run in the history of its environment, at its start and at its end. */
import { messageOf } from '../errors.ts'
import { finishHistory, type StateChange } from '../state/changes.ts'
import type { HistoryAsset, HistoryRecord, StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { runOrigin } from './run-origin.ts'
import { historyAssets } from './run-report.ts'

/** Returns the row of a running run, with the progress of its assets. */
export function historyRow(run: Run, prepared: PreparedRun): HistoryRecord {
  return {
    ...ownRow(run, prepared.state),
    assets: withoutSecrets(historyAssets(run, prepared), run),
    warnings: [...run.progress.warnings, ...run.progress.testWarnings].map(each => ({
      ...each,
      message: clean(run, each.message),
    })),
  }
}

/** The table of runs is a file too, and so is what a plan remembers of it. */
function withoutSecrets(assets: readonly HistoryAsset[], run: Run): readonly HistoryAsset[] {
  if (assets.every(({ because }) => because === undefined)) return assets
  return assets.map(asset => {
    const { because, hint } = asset
    return {
      ...asset,
      ...(because === undefined ? {} : { because: clean(run, because) }),
      ...(hint === undefined ? {} : { hint: clean(run, hint) }),
    }
  })
}

function clean({ workspace }: Run, text: string): string {
  return workspace.withoutSecrets?.(text) ?? text
}

interface Started extends Pick<Run, 'runId' | 'startedAt'> {
  readonly kind: HistoryRecord['kind']
  readonly selector?: string | null | undefined
}

/** Returns the row of a run that has begun, without assets. */
export function startedRow(
  workspace: Workspace,
  state: StateSnapshot,
  { runId, startedAt, kind, selector = null }: Started,
): HistoryRecord {
  return {
    run_id: runId,
    environment: workspace.environment.stateName,
    kind,
    selector,
    status: 'running',
    started_at: startedAt.toISOString(),
    finished_at: null,
    generation: null,
    from_generation: state.generation,
    assets: [],
    error: null,
    ...runOrigin(workspace),
    refused: false,
    warnings: [],
  }
}

type Attempted = Pick<Run, 'workspace' | 'request' | 'runId' | 'startedAt'>

function ownRow(run: Attempted, state: StateSnapshot): HistoryRecord {
  return startedRow(run.workspace, state, { ...run, ...run.request })
}

/** Returns the row as it stays when the run has ended without promotion. */
function endedRow(
  row: HistoryRecord,
  run: Pick<Run, 'workspace'>,
  status: HistoryRecord['status'],
  error: string | null,
): HistoryRecord {
  const said = error === null ? null : (run.workspace.withoutSecrets?.(error) ?? error)
  return { ...row, status, finished_at: run.workspace.world.now().toISOString(), error: said }
}

/** Ends a run without promotion: a preview, or a run in which something failed. */
export async function endUnpromoted(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  changes: readonly StateChange[],
): Promise<void> {
  const { failure } = run.progress
  const status = failure === undefined ? 'deployed' : 'Failed'
  const row = endedRow(historyRow(run, prepared), run, status, failure?.message ?? null)
  await session.state.commit([...changes, ...finishHistory(row)])
}

/**
 * Returns the row of a run that was refused before its first step. It has no assets: nothing is known of them, and nothing was
 * done.
 */
export function refusedRow(run: Attempted, state: StateSnapshot, error: unknown): HistoryRecord {
  return { ...endedRow(ownRow(run, state), run, 'Failed', messageOf(error)), refused: true }
}

/** Ends a run that threw an exception, in a new session. */
export async function markFailed(run: Run, prepared: PreparedRun, error: unknown): Promise<void> {
  const session = await run.warehouse.open('write', { waitMs: 2000 })
  try {
    const row = endedRow(historyRow(run, prepared), run, 'Failed', messageOf(error))
    await session.state.commit(finishHistory(row))
  } finally {
    await session.close()
  }
}
