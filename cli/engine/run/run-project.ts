/**
 * `svc run` and `svc preview` (interface.md 3.1): lease, plan, fetch with the warehouse closed, build in a green
 * schema, test there, promote in one step, collect. Whatever fails, production is as before.
 */
import { join } from 'node:path'
import { SvcError } from '../errors.ts'
import { readState } from '../state/read-state.ts'
import { finishHistory, insertHistory } from '../state/statements.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openGround, withLease, withSession } from './begin-run.ts'
import type { EmitEvent, RunReport } from './events.ts'
import { removeSpools } from './fetch-sources.ts'
import { type Ground, prepareRun } from './prepare-run.ts'
import { startProgress } from './run-progress.ts'
import {
  buildAndPromote,
  fetchAll,
  historyRow,
  type Run,
  sourcesToFetch,
  withStandingLoads,
} from './run-stages.ts'

export interface RunRequest {
  readonly kind: 'run' | 'preview'
  /** Undefined: all assets. */
  readonly selector: string | undefined
  readonly noIngest: boolean
  readonly allTests: boolean
  /** A plan: shows readers of columns that go away, where a run refuses them. */
  readonly dryRun?: boolean
}

/**
 * Resolves with a report also when an asset or a test failed. SvcError where there is nothing to report: wrong
 * selection, invalid files, lease or warehouse held, interrupted.
 */
export async function runProject(
  workspace: Workspace,
  request: RunRequest,
  emit: EmitEvent,
): Promise<RunReport> {
  const runId = workspace.world.newRunId()
  return withLease(workspace, request.kind, runId, async warehouse => {
    const run: Run = {
      workspace,
      request,
      runId,
      warehouse,
      emit,
      startedAt: workspace.world.now(),
      progress: startProgress(),
    }
    const report = await throughStages(run)
    const { status, generation, seconds, finishedAt } = report
    const promoted = status === 'deployed' && generation !== undefined
    emit({ type: 'run-finished', runId, status, promoted, seconds, at: finishedAt })
    return report
  })
}

/** The warehouse is closed between the ground and the builds whenever there is something to fetch. */
async function throughStages(run: Run): Promise<RunReport> {
  const { workspace, warehouse, emit } = run
  const first = await withSession(workspace, warehouse, emit, async session => {
    const ground = await startRun(session, run)
    if (sourcesToFetch(ground).length > 0) return { ground }
    return {
      ground,
      report: await guarded(run, ground, () => buildAndPromote(session, run, ground, new Map())),
    }
  })
  if (first.report !== undefined) return first.report
  const spools = join(await workspace.stateFolder(), 'spool')
  const spool = join(spools, run.runId)
  // Under the lease, what is there was left by a dead run.
  await removeSpools(spools)
  try {
    return await guarded(run, first.ground, async () => {
      const fetched = await fetchAll(run, first.ground, spool)
      return withSession(workspace, warehouse, emit, async session => {
        // Other environments may have built or collected meanwhile.
        const state = await readState(session, workspace.environment.stateName)
        return buildAndPromote(session, run, { ...first.ground, state }, fetched)
      })
    })
  } finally {
    await removeSpools(spool)
  }
}

async function startRun(session: WarehouseSession, run: Run): Promise<Ground> {
  const { workspace, request, warehouse, runId, emit } = run
  const state = await openGround(session, workspace, emit)
  const ground = await prepareRun(session, state, workspace, request, warehouse.shortLabel)
  await session.transaction(insertHistory(session.dialect, historyRow(run, ground)))
  const build = ground.plan.stages.find(stage => stage.kind === 'build')
  emit({
    type: 'run-started',
    runId,
    kind: request.kind,
    environment: workspace.environment.name,
    assets: ground.names.length,
    toFetch: sourcesToFetch(ground).length,
    toBuild: build?.kind === 'build' ? build.assets.length : 0,
    at: run.startedAt.toISOString(),
  })
  return withStandingLoads(run, ground)
}

/** A run that ends with an exception is Failed in the history too; where even that cannot be written, recovery does it. */
async function guarded(run: Run, ground: Ground, work: () => Promise<RunReport>): Promise<RunReport> {
  try {
    return await work()
  } catch (error) {
    // What went wrong after the promotion does not undo it.
    if (run.progress.promoted) throw error
    const aborted = run.workspace.signal.aborted
    const cause = aborted ? interrupted(run, error) : error
    await markFailed(run, ground, cause).catch(() => undefined)
    throw cause
  }
}

function interrupted(run: Run, cause: unknown): SvcError {
  return new SvcError('interrupted', `run ${run.runId} was interrupted; production is as before`, {
    hint: 'What is complete is kept, and the next svc run goes on from it.',
    cause,
  })
}

async function markFailed(run: Run, ground: Ground, error: unknown): Promise<void> {
  const { warehouse, workspace } = run
  const message = error instanceof Error ? error.message : String(error)
  const session = await warehouse.open('write', { waitMs: 2000 })
  try {
    const row = historyRow(run, ground)
    await session.transaction(
      finishHistory(session.dialect, {
        ...row,
        status: 'Failed',
        finished_at: workspace.world.now().toISOString(),
        error: message,
      }),
    )
  } finally {
    await session.close()
  }
}
