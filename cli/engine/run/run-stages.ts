/** The stages of a run that need the warehouse, after the fetch: build, test, promote, collect garbage. */
import type { TestResult } from '@svc/server/contract'
import type { FetchedSource } from '../ingest/source.ts'
import { leftBehind } from '../plan/make-plan.ts'
import { stepsOf } from '../plan/step.ts'
import { unitResults } from '../quality/unit-results.ts'
import { replayRejects, type StateChange } from '../state/changes.ts'
import type { BuildRecord, HistoryRecord, StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { buildStage } from './build-stage.ts'
import type { Deployed } from './deploy.ts'
import type { RunReport } from './events.ts'
import { greenSchema, showReused } from './green-schema.ts'
import type { PreparedRun } from './prepare-run.ts'
import { collectStage, promoteStage } from './promote-stage.ts'
import { replayedRejects } from './replayed-rejects.ts'
import type { Run } from './run.ts'
import { endUnpromoted } from './run-history.ts'
import type { RunProgress } from './run-progress.ts'
import { newLoads, recordChanges } from './run-records.ts'
import { runReport } from './run-report.ts'
import { stepsAfterFetch } from './steps-after-fetch.ts'
import { testStage } from './test-stage.ts'
import { writeSchemaLock } from './write-schema-lock.ts'

export async function executeStages(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
): Promise<RunReport> {
  const { workspace, progress, runId } = run
  const planned = stepsAfterFetch(run, prepared, fetched)
  const hasGreen = await buildStage(session, run, prepared, planned, fetched)
  workspace.signal.throwIfAborted()
  writeSchemaLock(workspace, fetched)
  const builds = newBuilds(prepared, progress)
  const tests = await testStage(session, run, prepared, planned, builds)
  const changes = recordChanges(run, prepared, tests.records)
  const [promotion] = stepsOf(planned.steps, 'promote')
  if (progress.failure !== undefined || promotion === undefined) {
    if (hasGreen) await showReused(session, greenSchema(runId), progress)
    await endUnpromoted(session, run, prepared, changes)
    return { ...report(run, prepared, tests.results, undefined), state: await stateNow(session, run) }
  }
  const replayed = await replayedRejects(session, fetched, newLoads(run, prepared, fetched))
  changes.push(...replayChanges(run, replayed))
  const deployed = await promoteStage(session, run, prepared, promotion, builds, changes)
  if (stepsOf(planned.steps, 'collect').length > 0) await collectStage(session, run, !deployed.moved)
  session.settle?.()
  for (const [asset, { length }] of replayed) run.emit({ type: 'records-replayed', asset, records: length })
  const isIdle = !deployed.moved && tests.records.length === 0
  const state = isIdle ? withRun(prepared.state, deployed.history) : await stateNow(session, run)
  return { ...report(run, prepared, tests.results, deployed), state }
}

/** Returns the complete new map, as far as it was built. */
function newBuilds({ state, full, names }: PreparedRun, progress: RunProgress): Map<string, BuildRecord> {
  const builds = new Map<string, BuildRecord>()
  const own = new Set(names)
  for (const [name, { build_key }] of full ? [] : state.live) {
    if (own.has(name)) continue
    const build = state.builds.get(build_key)
    // Without the build, the asset would vanish from production.
    if (build === undefined) throw new Error(`the live build of "${name}" has no record`)
    builds.set(name, build)
  }
  for (const name of names) {
    const build = progress.assets.get(name)?.build
    if (build !== undefined) builds.set(name, build)
  }
  return builds
}

function replayChanges({ runId }: Run, replayed: Awaited<ReturnType<typeof replayedRejects>>): StateChange[] {
  return [...replayed].flatMap(([asset, hashes]) => replayRejects(asset, runId, hashes))
}

/**
 * The state is read while the warehouse is open, because opening it again later to write the files would cost
 * more.
 */
function stateNow(session: WarehouseSession, { workspace }: Run): Promise<StateSnapshot> {
  return session.state.read(workspace.environment.stateName)
}

/** Adds the row of a run that changed nothing to the history. */
function withRun(state: StateSnapshot, run: HistoryRecord): StateSnapshot {
  return { ...state, history: [run, ...state.history] }
}

function report(
  run: Run,
  { names, state, identities, analysis, full, plan }: PreparedRun,
  tests: readonly TestResult[],
  deployed: Deployed | undefined,
): RunReport {
  const { workspace, progress } = run
  const moved = names.filter(
    name => progress.assets.get(name)?.build?.build_key !== state.live.get(name)?.build_key,
  )
  return runReport({
    runId: run.runId,
    kind: run.request.kind,
    environment: workspace.environment.name,
    startedAt: run.startedAt,
    finishedAt: workspace.world.now(),
    names,
    definitionHash: identities.definitionHash,
    progress,
    tests: [...unitResults(workspace, analysis, names), ...tests],
    leftBehind: full ? [] : leftBehind(workspace.project, state, names, new Set(moved)),
    generation: deployed?.generation,
    promotedViews: deployed?.views ?? 0,
    before: plan.lastDeployment,
  })
}
