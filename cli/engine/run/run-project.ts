/**
 * `svc run` and `svc preview` (interface.md 3.1): lease, plan, fetch with the warehouse closed, build in a green
 * schema, test there, promote in one step, collect. Whatever fails, production is as before.
 */
import { SvcError } from '../errors.ts'
import { tellUnitTests, unitResults } from '../quality/unit-results.ts'
import { readState } from '../state/read-state.ts'
import { finishHistory, insertHistory } from '../state/statements.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Desk, openGround, withLease, withSession } from './begin-run.ts'
import { decisionsOf } from './debug-events.ts'
import type { EmitEvent, RunReport } from './events.ts'
import { sayPending } from './pending.ts'
import { type Ground, prepareRun } from './prepare-run.ts'
import { runFinished } from './run-finished.ts'
import { startProgress } from './run-progress.ts'
import {
  buildAndPromote,
  fetchAll,
  historyRow,
  type Run,
  sourcesToFetch,
  withStandingLoads,
} from './run-stages.ts'
import { expireSpools, settleSpools, spoolsOf } from './spools.ts'

export interface RunRequest {
  readonly kind: 'run' | 'preview'
  /** Undefined: all assets. */
  readonly selector: string | undefined
  readonly noIngest: boolean
  readonly allTests: boolean
  /** A plan: shows readers of columns that go away, where a run refuses them. */
  readonly dryRun?: boolean
  /** Keys of loads to build on instead of fetching, by asset: those of a run that is retried. */
  readonly loads?: ReadonlyMap<string, string>
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
  const { kind, noIngest, allTests } = request
  const options = { noIngest, allTests }
  // Read, checked and bound before anything is held.
  await workspace.analysis()
  const action = { runId, kind, selector: request.selector ?? null, options, emit }
  return withLease(workspace, action, async desk => {
    const { warehouse, emit } = desk
    const run: Run = {
      workspace,
      request,
      runId,
      warehouse,
      emit,
      startedAt: workspace.world.now(),
      progress: startProgress(),
    }
    const report = await withSpools(run, desk, () => throughStages(run, desk))
    emit(
      runFinished(report, report.status === 'deployed' && report.generation !== undefined, action.selector),
    )
    return report
  })
}

async function withSpools(
  { workspace }: Run,
  desk: Desk,
  work: () => Promise<RunReport>,
): Promise<RunReport> {
  const { now } = workspace.world
  const spools = spoolsOf(desk.folder)
  await expireSpools(spools, now())
  try {
    const report = await work()
    const assets = new Set(report.assets.map(({ name }) => name))
    await settleSpools(spools, report.status === 'Failed' ? 'Failed' : 'deployed', assets, now())
    return report
  } catch (error) {
    await settleSpools(spools, 'interrupted', new Set(), now())
    throw error
  }
}

/** The warehouse is closed between the ground and the builds whenever there is something to fetch. */
async function throughStages(run: Run, desk: Desk): Promise<RunReport> {
  const { workspace, warehouse, emit } = run
  const first = await withSession(workspace, warehouse, emit, async session => {
    const ground = await startRun(session, run, desk)
    if (sourcesToFetch(ground).length > 0) return { ground }
    return {
      ground,
      report: await guarded(run, ground, () => buildAndPromote(session, run, ground, new Map())),
    }
  })
  if (first.report !== undefined) return first.report
  return guarded(run, first.ground, async () => {
    emit({ type: 'stage', stage: 'fetch', items: sourcesToFetch(first.ground).length })
    const fetched = await fetchAll(run, first.ground, spoolsOf(desk.folder))
    return withSession(workspace, warehouse, emit, async session => {
      // Other environments may have built or collected meanwhile.
      const state = await readState(session, workspace.environment.stateName)
      return buildAndPromote(session, run, { ...first.ground, state }, fetched)
    })
  })
}

async function startRun(session: WarehouseSession, run: Run, desk: Desk): Promise<Ground> {
  const { workspace, request, warehouse, runId, emit } = run
  const state = await openGround(session, workspace, desk, 'now')
  const ground = await prepareRun(session, state, workspace, request, warehouse.shortLabel)
  await session.transaction(insertHistory(session.dialect, historyRow(run, ground)))
  const build = ground.plan.stages.find(stage => stage.kind === 'build')
  emit({
    type: 'run-started',
    run_id: runId,
    kind: request.kind,
    environment: workspace.environment.name,
    selector: request.selector ?? null,
    assets: ground.names.length,
    to_fetch: sourcesToFetch(ground).length,
    to_build: build?.kind === 'build' ? build.assets.length : 0,
    at: run.startedAt.toISOString(),
  })
  tellUnitTests(unitResults(workspace, ground.analysis, ground.names), emit)
  for (const decision of decisionsOf(ground.plan)) emit(decision)
  sayPending(workspace.project, build?.kind === 'build' ? build.assets : [], emit)
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
