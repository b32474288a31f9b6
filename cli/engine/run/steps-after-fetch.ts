/**
 * Returns the steps of a run after the fetch: those of the plan if the sources have the content that the plan assumed,
 * otherwise steps from the same planning function.
 */
import { SvcError } from '../errors.ts'
import type { FetchedSource } from '../ingest/source.ts'
import { hasSource } from '../plan/identities.ts'
import { lastLoad } from '../plan/last-load.ts'
import { planSteps, type StepPlan } from '../plan/plan-steps.ts'
import type { SaltedKey } from '../plan/renewal.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import { assetFailure } from './asset-failure.ts'
import { loadKeyOf } from './load-keys.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { failAsset } from './run-progress.ts'

/** Assets that can no longer be built are marked as failed and have no step. */
export function stepsAfterFetch(
  run: Run,
  prepared: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
): StepPlan {
  const { project, environment } = run.workspace
  const { analysis } = prepared
  const loads = loadsOf(run, prepared, fetched)
  if (isAsForecast(run, prepared, loads)) return withoutFetches(prepared.forecast.planned)
  return planSteps({
    ...prepared,
    project,
    environment,
    isVolatile: name => analysis.of(name)?.volatile === true,
    fetches: [],
    loadKey: name => loads.get(name)?.key,
    loadSalt: name => loads.get(name)?.salt,
    tablesOf: name => fetched.get(name)?.tables.map(({ shape }) => shape.child) ?? [],
    runId: run.runId,
    failed: new Set(run.progress.assets.keys()),
    allTests: run.request.allTests,
    promotes: run.request.kind === 'run',
    hash: sha256,
  })
}

/** Returns whether nothing failed, all keys are known, and every source has the content of its last load. */
function isAsForecast(
  { workspace, progress }: Run,
  { forecast, state, names, identities }: PreparedRun,
  loads: ReadonlyMap<string, SaltedKey>,
): boolean {
  const { planned } = forecast
  if (forecast.state !== state || progress.assets.size > 0 || planned.keys.size !== names.length) return false
  return names.every(name => {
    const asset = workspace.project.byName.get(name)
    if (asset === undefined || !hasSource(asset)) return true
    return loads.get(name)?.key === lastLoad(state, name, identities.rawDefinitionHash(name))?.build_key
  })
}

function withoutFetches(planned: StepPlan): StepPlan {
  return { ...planned, steps: planned.steps.filter(({ kind }) => kind !== 'fetch') }
}

/** Keys of the loads that the run builds on, by asset. */
function loadsOf(
  run: Run,
  prepared: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
): Map<string, SaltedKey> {
  const keys = new Map<string, SaltedKey>()
  for (const [name, key] of prepared.standing) keys.set(name, { key, salt: undefined })
  for (const [name, { loadId }] of fetched) keys.set(name, loadKeyOf(run, prepared, name, loadId))
  if (run.request.noIngest) addLastLoads(run, prepared, keys)
  return keys
}

function addLastLoads(
  run: Run,
  { state, names, identities, renewal }: PreparedRun,
  keys: Map<string, SaltedKey>,
): void {
  for (const name of names) {
    const asset = run.workspace.project.byName.get(name)
    if (asset === undefined || !hasSource(asset)) continue
    const load = lastLoad(state, name, identities.rawDefinitionHash(name))
    if (load !== undefined && renewal.damageOf(load) === undefined) {
      keys.set(name, { key: load.build_key, salt: undefined })
      continue
    }
    const what =
      load === undefined
        ? `"${name}" was never loaded as it is defined now`
        : `what "${name}" has loaded is gone from the warehouse`
    const error = new SvcError('parent-not-built', what, { hint: 'Run without --no-ingest once.' })
    failAsset(run, names, assetFailure(asset, error, ['ingest'], run.workspace.environment.name))
  }
}
