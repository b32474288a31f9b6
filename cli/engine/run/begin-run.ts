/**
 * The beginning of everything that changes an environment: lease, state tables, recovery of what a dead process left.
 * And its end: whatever happens, the lease goes back.
 */
import { initialiseState, readState } from '../state/read-state.ts'
import type { HistoryRecord, StateSnapshot } from '../state/state.ts'
import { finishHistory } from '../state/statements.ts'
import type { OpenOptions, Warehouse, WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { EmitEvent } from './events.ts'

/** The error of a run whose process died: marks what collection may take at the next successful run. */
export const stoppedError = 'stopped before its end'

/** Holds the environment's lease while `work` runs. SvcError `lease-held`. */
export async function withLease<T>(
  workspace: Workspace,
  command: string,
  runId: string,
  work: (warehouse: Warehouse) => Promise<T>,
): Promise<T> {
  const { world, environment } = workspace
  const warehouse = await workspace.warehouse()
  const lease = await warehouse.acquireLease(environment.stateName, {
    runId,
    command,
    user: world.user,
    host: world.host,
    pid: world.pid,
    since: world.now().toISOString(),
  })
  try {
    return await work(warehouse)
  } finally {
    await lease.release()
  }
}

export async function withSession<T>(
  workspace: Workspace,
  warehouse: Warehouse,
  emit: EmitEvent,
  work: (session: WarehouseSession) => Promise<T>,
): Promise<T> {
  const session = await warehouse.open('write', openOptions(workspace, emit))
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

export function openOptions(workspace: Workspace, emit: EmitEvent): OpenOptions {
  return {
    signal: workspace.signal,
    onWait: holder => emit({ type: 'waiting', reason: `the warehouse is held by ${holder}` }),
  }
}

/**
 * State tables made, promotion recovered, dead runs marked. Under the lease every `running` row of the environment is
 * that of a dead process.
 */
export async function openGround(
  session: WarehouseSession,
  workspace: Workspace,
  emit: EmitEvent,
): Promise<StateSnapshot> {
  const environment = workspace.environment.stateName
  await initialiseState(session)
  const recovery = await session.promotion.recover(environment)
  const state = await readState(session, environment)
  const dead = state.history.filter(({ status }) => status === 'running')
  if (dead.length === 0) return state
  const finishedAt = workspace.world.now().toISOString()
  await session.transaction(
    dead.flatMap(run =>
      finishHistory(session.dialect, {
        ...run,
        status: 'Failed',
        finished_at: finishedAt,
        error: stoppedError,
      }),
    ),
  )
  for (const run of dead) emit(recoveredEvent(run, state, recovery))
  return readState(session, environment)
}

function recoveredEvent(
  run: HistoryRecord,
  state: StateSnapshot,
  recovery: 'nothing' | 'rolled-back' | 'rolled-forward',
) {
  const complete = [...state.builds.values()].filter(build => build.run_id === run.run_id)
  const loads = complete.filter(({ part }) => part === 'raw').length
  const models = complete.length - loads
  const kept = `${loads} load${loads === 1 ? '' : 's'} and ${models} build${models === 1 ? '' : 's'} are complete`
  const production =
    recovery === 'rolled-forward' ? 'its promotion was finished' : `${run.environment} was not touched`
  return {
    type: 'recovered',
    runId: run.run_id,
    stoppedAt: complete.length === 0 ? 'fetch' : 'build',
    detail: `${production}; ${kept}`,
  } as const
}
