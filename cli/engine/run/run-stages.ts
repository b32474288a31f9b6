/** The stages of a run after its beginning: fetch, build, test, promote, collect. Each is told what it needs. */
import type { TestResult } from '@svc/server/contract'
import { SvcError } from '../errors.ts'
import { type FileMemory, openFileMemory } from '../ingest/file-memory.ts'
import type { FetchedSource } from '../ingest/source.ts'
import { loadKey } from '../plan/identities.ts'
import { loadedTables } from '../plan/last-load.ts'
import { leftBehind } from '../plan/make-plan.ts'
import { unitResults } from '../quality/unit-results.ts'
import { readState } from '../state/read-state.ts'
import type { BuildRecord, HistoryRecord, StateSnapshot } from '../state/state.ts'
import {
  deleteRefused,
  finishHistory,
  insertDefinitions,
  insertTestResults,
  replayRejects,
} from '../state/statements.ts'
import type { Statement, Warehouse, WarehouseSession } from '../warehouse/warehouse.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { buildGreen } from './build-green.ts'
import { collectAll } from './collect-all.ts'
import { type Deployed, deploy } from './deploy.ts'
import type { EmitEvent, RunReport } from './events.ts'
import { type FetchWork, fetchSources } from './fetch-sources.ts'
import { greenSchema, showReused } from './green-schema.ts'
import { knownTables } from './known-tables.ts'
import { type Ground, wantedViews } from './prepare-run.ts'
import { refusedStatements } from './rejected-rows.ts'
import { replayedRejects } from './replayed-rejects.ts'
import type { RunProgress } from './run-progress.ts'
import type { RunRequest } from './run-project.ts'
import { historyAssets, noteTestFailures, runReport } from './run-report.ts'
import { testGreen } from './test-green.ts'
import { unchangedLoads } from './unchanged-loads.ts'
import { readSchemaLock, writeSchemaLock } from './write-schema-lock.ts'

export interface Run {
  readonly workspace: Workspace
  readonly request: RunRequest
  readonly runId: string
  readonly warehouse: Warehouse
  readonly emit: EmitEvent
  readonly startedAt: Date
  readonly progress: RunProgress
}

export function sourcesToFetch({ plan, standing }: Ground): readonly string[] {
  const stage = plan.stages.find(({ kind }) => kind === 'fetch')
  return stage?.kind === 'fetch' ? stage.assets.filter(name => !standing.has(name)) : []
}

/** What `openFileMemory` needs of a run. */
async function fileMemory({ workspace }: Run): Promise<FileMemory> {
  const { root, world } = workspace
  return openFileMemory({ folder: await workspace.stateFolder(), root, env: world.env, pid: world.pid })
}

/** Finds the sources that need no fetch; they are reported as unchanged. */
export async function withStandingLoads(run: Run, ground: Ground): Promise<Ground> {
  const { workspace, emit } = run
  const { state, identities } = ground
  const { project } = workspace
  const sources = sourcesToFetch(ground)
  const retried = retriedLoads(run, ground, sources)
  if (sources.length === 0 || state.live.size === 0) return { ...ground, standing: retried }
  const locked = readSchemaLock(workspace.root)
  const memory = await fileMemory(run)
  const others = sources.filter(name => !retried.has(name))
  const unchanged = await unchangedLoads({
    project,
    sources: others,
    state,
    identities,
    locked,
    memory,
    emit,
  })
  return { ...ground, standing: new Map([...retried, ...unchanged]) }
}

/** The loads of a run that is retried, as far as they are there and their sources are defined as they were. */
function retriedLoads({ request }: Run, { state, identities }: Ground, sources: readonly string[]) {
  const loads = new Map<string, string>()
  for (const name of sources) {
    const load = state.builds.get(request.loads?.get(name) ?? '')
    if (load?.definition_hash === identities.rawDefinitionHash(name)) loads.set(name, load.build_key)
  }
  return loads
}

/** The run's row in the history while it works; what has become of its assets so far is in it. */
export function historyRow(run: Run, ground: Ground): HistoryRecord {
  return {
    run_id: run.runId,
    environment: run.workspace.environment.stateName,
    kind: run.request.kind,
    selector: run.request.selector ?? null,
    status: 'running',
    started_at: run.startedAt.toISOString(),
    finished_at: null,
    generation: null,
    from_generation: ground.state.generation,
    assets: historyAssets(
      ground.state,
      ground.names,
      ground.full,
      ground.identities.definitionHash,
      run.progress,
    ),
    error: null,
  }
}

export async function fetchAll(
  run: Run,
  ground: Ground,
  spoolFolder: string,
): Promise<Map<string, FetchedSource>> {
  const { workspace, progress, emit } = run
  const memory = await fileMemory(run)
  const previous = readSchemaLock(workspace.root)
  const work: FetchWork = {
    project: workspace.project,
    root: workspace.root,
    world: workspace.world,
    names: ground.names,
    sources: sourcesToFetch(ground),
    previous,
    known: name => knownTables(previous.get(name), ground.state, name, workspace.project.engine),
    loaded: name => loadedTables(ground.state, name),
    spoolFolder,
    memory,
    isKnown: (name: string, loadId: string) =>
      ground.state.builds.has(loadKey(name, ground.identities, loadId, sha256)),
    signal: workspace.signal,
    emit,
  }
  const fetched = await fetchSources(work, progress)
  memory.save()
  return fetched
}

/** Everything that needs the warehouse after the fetch. */
export async function buildAndPromote(
  session: WarehouseSession,
  run: Run,
  ground: Ground,
  fetched: ReadonlyMap<string, FetchedSource>,
): Promise<RunReport> {
  const { workspace, request, progress, emit } = run
  const hasGreen = await buildGreen(session, run, ground, fetched)
  workspace.signal.throwIfAborted()
  writeSchemaLock(workspace, fetched)
  const builds = newBuilds(ground, progress)
  const names = ground.names.filter(name => progress.assets.get(name)?.build !== undefined)
  emit({ type: 'stage', stage: 'test', items: names.length })
  const tests = await testGreen(session, {
    workspace,
    state: ground.state,
    runId: run.runId,
    names,
    absent: new Set(ground.names.filter(name => !builds.has(name))),
    readers: true,
    definitionHash: ground.identities.definitionHash,
    builds,
    allTests: request.allTests,
    emit,
  })
  noteTestFailures(progress, tests.results)
  const statements = [
    ...rejectStatements(session, run),
    ...insertTestResults(session.dialect, workspace.environment.stateName, tests.records),
    ...definitionStatements(session, ground, progress),
  ]
  if (progress.failure !== undefined || request.kind === 'preview') {
    if (hasGreen) await showReused(session, greenSchema(run.runId), progress)
    await endUnpromoted(session, run, ground, statements)
    return { ...report(run, ground, tests.results, undefined), state: await stateNow(session, run) }
  }
  const replayed = await replayedRejects(session, fetched, newLoads(run, ground, fetched))
  for (const [asset, hashes] of replayed)
    statements.push(...replayRejects(session.dialect, asset, run.runId, hashes))
  const deployed = await promote(session, run, ground, builds, statements)
  for (const [asset, { length }] of replayed) emit({ type: 'records-replayed', asset, records: length })
  const isIdle = !deployed.moved && tests.records.length === 0
  const state = isIdle ? withRun(ground.state, deployed.history) : await stateNow(session, run)
  return { ...report(run, ground, tests.results, deployed), state }
}

/** Read while the warehouse is open: to open it once more for the written files costs more than to read it. */
function stateNow(session: WarehouseSession, { workspace }: Run): Promise<StateSnapshot> {
  return readState(session, workspace.environment.stateName)
}

/** A run that changes nothing adds its row to the history, and that is all. */
function withRun(state: StateSnapshot, run: HistoryRecord): StateSnapshot {
  return { ...state, history: [run, ...state.history] }
}

// ---------------------------------------------------------------- the new map

/** The whole new map, as far as it was built. */
function newBuilds({ state, full, names }: Ground, progress: RunProgress): Map<string, BuildRecord> {
  const builds = new Map<string, BuildRecord>()
  const own = new Set(names)
  if (!full) {
    for (const [name, { build_key }] of state.live) {
      const build = state.builds.get(build_key)
      if (own.has(name)) continue
      // Left out, the asset would vanish from production.
      if (build === undefined) throw new Error(`the live build of "${name}" has no record`)
      builds.set(name, build)
    }
  }
  for (const name of names) {
    const build = progress.assets.get(name)?.build
    if (build !== undefined) builds.set(name, build)
  }
  return builds
}

function definitionStatements(session: WarehouseSession, ground: Ground, progress: RunProgress): Statement[] {
  const built = ground.names.filter(name => progress.assets.get(name)?.build?.run_id !== undefined)
  const fresh = built.filter(
    name => ground.state.live.get(name)?.definition_hash !== ground.identities.definitionHash(name),
  )
  return insertDefinitions(
    session.dialect,
    fresh.map(name => ({
      definition_hash: ground.identities.definitionHash(name),
      definition: ground.identities.canonical(name),
    })),
  )
}

/** Keys of the loads that this run has made, by asset. */
function newLoads(
  { progress }: Run,
  { identities }: Ground,
  fetched: ReadonlyMap<string, FetchedSource>,
): Map<string, string> {
  const loads = new Map<string, string>()
  for (const [name, { loadId }] of fetched) {
    if (progress.assets.get(name)?.status === 'built')
      loads.set(name, loadKey(name, identities, loadId, sha256))
  }
  return loads
}

/** What contracts refused, to look at; what an asset left when it was refused before goes once it is loaded. */
function rejectStatements(session: WarehouseSession, { workspace, runId, progress }: Run): Statement[] {
  const { stateName: environment } = workspace.environment
  const now = workspace.world.now()
  const loaded = [...progress.assets].filter(([, { build }]) => build !== undefined).map(([name]) => name)
  return [
    ...deleteRefused(session.dialect, environment, loaded),
    ...[...progress.refused].flatMap(([asset, refused]) =>
      refusedStatements(session.dialect, refused, { environment, runId, asset, now }),
    ),
  ]
}

// ---------------------------------------------------------------- end

async function endUnpromoted(
  session: WarehouseSession,
  run: Run,
  ground: Ground,
  statements: readonly Statement[],
): Promise<void> {
  const { failure } = run.progress
  const row: HistoryRecord = {
    ...historyRow(run, ground),
    status: failure === undefined ? 'deployed' : 'Failed',
    finished_at: run.workspace.world.now().toISOString(),
    error: failure?.message ?? null,
  }
  await session.transaction([...statements, ...finishHistory(session.dialect, row)])
}

async function promote(
  session: WarehouseSession,
  run: Run,
  ground: Ground,
  builds: ReadonlyMap<string, BuildRecord>,
  statements: readonly Statement[],
): Promise<Deployed> {
  const { workspace, emit } = run
  const views = wantedViews(ground.state, workspace, ground.names, ground.full)
  workspace.signal.throwIfAborted()
  emit({ type: 'stage', stage: 'promote', items: views.size })
  const deployed = await deploy(session, {
    state: ground.state,
    map: builds,
    viewOf: name => views.get(name),
    missing: ground.missing,
    definitionOf: name => workspace.project.byName.get(name)?.definition,
    history: { ...historyRow(run, ground), finished_at: workspace.world.now().toISOString() },
    statements,
  })
  run.progress.promoted = true
  const { moved, history: _history, ...promoted } = deployed
  if (moved) emit({ type: 'promoted', ...promoted })
  await collect(session, run)
  return deployed
}

async function collect(session: WarehouseSession, run: Run): Promise<void> {
  const { workspace, warehouse, runId, emit } = run
  emit({ type: 'stage', stage: 'collect', items: 0 })
  try {
    const collected = await collectAll({ session, workspace, warehouse, runId })
    const [relations, schemas] = [collected.relations.length, collected.schemas.length]
    if (relations + schemas > 0) emit({ type: 'collected', relations, schemas })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SvcError('warehouse-failed', `run ${runId} is deployed, but old builds stay: ${reason}`, {
      hint: 'Production is new and whole; the next run collects again.',
      cause,
    })
  }
}

function report(
  run: Run,
  ground: Ground,
  tests: readonly TestResult[],
  deployed: Deployed | undefined,
): RunReport {
  const { workspace, progress } = run
  const moved = ground.names.filter(
    name => progress.assets.get(name)?.build?.build_key !== ground.state.live.get(name)?.build_key,
  )
  return runReport({
    runId: run.runId,
    kind: run.request.kind,
    environment: workspace.environment.name,
    startedAt: run.startedAt,
    finishedAt: workspace.world.now(),
    names: ground.names,
    definitionHash: ground.identities.definitionHash,
    progress,
    tests: [...unitResults(workspace, ground.analysis, ground.names), ...tests],
    leftBehind: ground.full ? [] : leftBehind(workspace.project, ground.state, ground.names, new Set(moved)),
    generation: deployed?.generation,
    promotedViews: deployed?.views ?? 0,
    before: ground.plan.lastDeployment,
  })
}
