/** The stages of a run after its beginning: fetch, build, test, promote, collect. Each is told what it needs. */
import { SvcError } from '../errors.ts'
import type { FetchedSource } from '../ingest/source.ts'
import { buildKeys, loadKey } from '../plan/identities.ts'
import { lastLoad } from '../plan/last-load.ts'
import { leftBehind } from '../plan/make-plan.ts'
import type { TestResult } from '../quality/test-result.ts'
import type { BuildRecord, HistoryRecord } from '../state/state.ts'
import { finishHistory, insertDefinitions, insertTestResults } from '../state/statements.ts'
import type { Statement, Warehouse, WarehouseSession } from '../warehouse/warehouse.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { assetFailure } from './asset-failure.ts'
import { buildAssets } from './build-assets.ts'
import { collectGarbage } from './collect-garbage.ts'
import { type Deployed, deploy } from './deploy.ts'
import type { EmitEvent, RunReport } from './events.ts'
import { fetchSources } from './fetch-sources.ts'
import { greenSchema, showReused } from './green-schema.ts'
import { type Ground, wantedViews } from './prepare-run.ts'
import { failAsset, type RunProgress } from './run-progress.ts'
import type { RunRequest } from './run-project.ts'
import { historyAssets, noteTestFailures, runReport } from './run-report.ts'
import { testGreen } from './test-green.ts'
import { writeSchemaLock } from './write-schema-lock.ts'

export interface Run {
  readonly workspace: Workspace
  readonly request: RunRequest
  readonly runId: string
  readonly warehouse: Warehouse
  readonly emit: EmitEvent
  readonly startedAt: Date
  readonly progress: RunProgress
}

export function sourcesToFetch({ plan }: Ground): readonly string[] {
  const stage = plan.stages.find(({ kind }) => kind === 'fetch')
  return stage?.kind === 'fetch' ? stage.assets : []
}

/** The run's row in the history while it works; what has become of its assets so far is in it. */
export function historyRow(run: Run, ground: Ground): HistoryRecord {
  return {
    run_id: run.runId,
    environment: run.workspace.environment.name,
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
  const work = {
    project: workspace.project,
    root: workspace.root,
    world: workspace.world,
    names: ground.names,
    sources: sourcesToFetch(ground),
    previous: workspace.sources,
    spoolFolder,
    isKnown: (name: string, loadId: string) =>
      ground.state.builds.has(loadKey(name, ground.identities, loadId, sha256)),
    signal: workspace.signal,
    emit,
  }
  return fetchSources(work, progress)
}

/** Everything that needs the warehouse after the fetch. */
export async function buildAndPromote(
  session: WarehouseSession,
  run: Run,
  ground: Ground,
  fetched: ReadonlyMap<string, FetchedSource>,
): Promise<RunReport> {
  const { workspace, request, progress, emit } = run
  await buildGreen(session, run, ground, fetched)
  workspace.signal.throwIfAborted()
  writeSchemaLock(workspace, fetched)
  const builds = newBuilds(ground, progress)
  const names = ground.names.filter(name => progress.assets.get(name)?.build !== undefined)
  const { state, full } = ground
  const { runId } = run
  const { allTests } = request
  const tests = await testGreen(session, { workspace, state, runId, names, full, builds, allTests, emit })
  noteTestFailures(progress, tests.results)
  const statements = [
    ...insertTestResults(session.dialect, workspace.environment.name, tests.records),
    ...definitionStatements(session, ground, progress),
  ]
  if (progress.failure !== undefined || request.kind === 'preview') {
    await endUnpromoted(session, run, ground, statements)
    return report(run, ground, tests.results, undefined)
  }
  const deployed = await promote(session, run, ground, builds, statements)
  return report(run, ground, tests.results, deployed)
}

// ---------------------------------------------------------------- build

async function buildGreen(
  session: WarehouseSession,
  run: Run,
  ground: Ground,
  fetched: ReadonlyMap<string, FetchedSource>,
): Promise<void> {
  const { workspace, progress, runId, emit } = run
  const rawKeys = rawKeysOf(run, ground, fetched)
  const keys = keysOf(run, ground, rawKeys)
  const { state, names, identities } = ground
  const schema = greenSchema(runId)
  const builds = names.filter(name => !progress.assets.has(name) && !state.builds.has(keys.get(name) ?? ''))
  if (builds.length > 0) await session.createSchema(schema)
  const work = {
    project: workspace.project,
    state,
    runId,
    schema,
    names,
    keys,
    rawKeys,
    definitionHash: identities.definitionHash,
    rawDefinitionHash: identities.rawDefinitionHash,
    fetched,
    vars: workspace.environment.vars,
    concurrency: workspace.world.cores,
    now: workspace.world.now,
    signal: workspace.signal,
    emit,
  }
  await buildAssets(session, work, progress)
  if (builds.length > 0) await showReused(session, schema, progress)
}

function rawKeysOf(
  run: Run,
  ground: Ground,
  fetched: ReadonlyMap<string, FetchedSource>,
): Map<string, string> {
  const { identities, state } = ground
  const keys = new Map<string, string>()
  for (const [name, { loadId }] of fetched) {
    keys.set(name, loadKey(name, identities, loadId, sha256))
  }
  if (!run.request.noIngest) return keys
  for (const name of ground.names) {
    const asset = run.workspace.project.byName.get(name)
    if (asset === undefined || asset.definition.ingest.type === 'none') continue
    const load = lastLoad(state, name, identities.rawDefinitionHash(name))
    if (load !== undefined) keys.set(name, load.build_key)
    else failNeverLoaded(run, ground, name)
  }
  return keys
}

function failNeverLoaded({ workspace, progress, emit }: Run, ground: Ground, name: string): void {
  const { project } = workspace
  const asset = project.byName.get(name)
  if (asset === undefined) return
  const error = new SvcError('parent-not-built', `"${name}" was never loaded as it is defined now`, {
    hint: 'Run without --no-ingest once.',
  })
  failAsset(progress, project, ground.names, assetFailure(asset, error, 'ingest'), 0, emit)
}

function keysOf(run: Run, ground: Ground, rawKeys: ReadonlyMap<string, string>): Map<string, string> {
  return buildKeys({
    project: run.workspace.project,
    identities: ground.identities,
    names: ground.names,
    liveKey: name => ground.state.live.get(name)?.build_key,
    rawKey: name => rawKeys.get(name),
    salt: name => (ground.analysis.of(name)?.volatile === true ? run.runId : undefined),
    hash: sha256,
  })
}

/** The whole new map, as far as it was built. */
function newBuilds({ state, full, names }: Ground, progress: RunProgress): Map<string, BuildRecord> {
  const builds = new Map<string, BuildRecord>()
  const own = new Set(names)
  if (!full) {
    for (const [name, { build_key }] of state.live) {
      const build = state.builds.get(build_key)
      if (build !== undefined && !own.has(name)) builds.set(name, build)
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
  const deployed = await deploy(session, {
    state: ground.state,
    map: builds,
    viewOf: name => views.get(name),
    missing: ground.missing,
    definitionOf: name => workspace.project.byName.get(name)?.definition,
    history: { ...historyRow(run, ground), finished_at: workspace.world.now().toISOString() },
    statements,
  })
  const { moved, ...promoted } = deployed
  if (moved) emit({ type: 'promoted', ...promoted })
  const collected = await collectGarbage(session, workspace)
  if (collected.relations + collected.schemas > 0) emit({ type: 'collected', ...collected })
  return deployed
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
    tests,
    leftBehind: ground.full ? [] : leftBehind(workspace.project, ground.state, ground.names, new Set(moved)),
    generation: deployed?.generation,
    promotedViews: deployed?.views ?? 0,
  })
}
