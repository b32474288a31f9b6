/** The build stage of a run: keys from what was fetched, then the green schema with what has to be built in it. */
import { SvcError } from '../errors.ts'
import type { FetchedSource } from '../ingest/source.ts'
import { buildKeys, hasSource, loadKey } from '../plan/identities.ts'
import { lastLoad } from '../plan/last-load.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import { assetFailure } from './asset-failure.ts'
import { buildAssets } from './build-assets.ts'
import { greenSchema } from './green-schema.ts'
import { sayPending } from './pending.ts'
import type { Ground } from './prepare-run.ts'
import { failAsset } from './run-progress.ts'
import type { Run } from './run-stages.ts'

/** Leaves the outcome of every asset in `run.progress`. False: there was nothing to build, and there is no green schema. */
export async function buildGreen(
  session: WarehouseSession,
  run: Run,
  ground: Ground,
  fetched: ReadonlyMap<string, FetchedSource>,
): Promise<boolean> {
  const { workspace, progress, runId, emit } = run
  const rawKeys = rawKeysOf(run, ground, fetched)
  const keys = keysOf(run, ground, rawKeys)
  const { state, names, identities } = ground
  const schema = greenSchema(runId)
  const builds = names.filter(name => !progress.assets.has(name) && !state.builds.has(keys.get(name) ?? ''))
  emit({ type: 'stage', stage: 'build', items: builds.length })
  sayPending(workspace.project, builds, emit)
  if (builds.length > 0) await session.createSchema(schema)
  const work = {
    project: workspace.project,
    state,
    runId,
    environment: workspace.environment.stateName,
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
  return builds.length > 0
}

function rawKeysOf(
  run: Run,
  ground: Ground,
  fetched: ReadonlyMap<string, FetchedSource>,
): Map<string, string> {
  const { identities, state } = ground
  const keys = new Map<string, string>(ground.standing)
  for (const [name, { loadId }] of fetched) {
    keys.set(name, loadKey(name, identities, loadId, sha256))
  }
  if (!run.request.noIngest) return keys
  for (const name of ground.names) {
    const asset = run.workspace.project.byName.get(name)
    if (asset === undefined || !hasSource(asset)) continue
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
