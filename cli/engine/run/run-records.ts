/**
 * Returns what a run stores at its end: test results, the definitions of its builds, and records that
 * contracts refused.
 */
import type { FetchedSource } from '../ingest/source.ts'
import { hasSource } from '../plan/identities.ts'
import {
  deleteRefused,
  insertDefinitions,
  insertTestResults,
  replaceFetches,
  type StateChange,
} from '../state/changes.ts'
import type { BuildRecord, TestRecord } from '../state/state.ts'
import { loadKeyOf } from './load-keys.ts'
import type { PreparedRun } from './prepare-run.ts'
import { refusedChanges } from './rejected-rows.ts'
import type { Run } from './run.ts'
import type { RunProgress } from './run-progress.ts'

export function recordChanges(
  run: Run,
  prepared: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
  tests: readonly TestRecord[],
): StateChange[] {
  const { stateName } = run.workspace.environment
  return [
    ...fetchChanges(run, prepared, fetched),
    ...rejectChanges(run, prepared),
    ...insertTestResults(stateName, tests),
    ...definitionChanges(run, prepared),
  ]
}

/** Every source that was asked has its load's content now, whether something is promoted or not. */
function fetchChanges(
  run: Run,
  prepared: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
): StateChange[] {
  const { runId, request, startedAt } = run
  const loads = new Map(prepared.standing)
  // The run that is retried has said when it fetched them.
  for (const name of request.loads?.keys() ?? []) loads.delete(name)
  for (const [name, { loadId }] of fetched) {
    const { key } = loadKeyOf(run, prepared, name, loadId)
    // That of a new load is written with it.
    if (prepared.state.builds.has(key)) loads.set(name, key)
  }
  const facts = { fetched_at: startedAt.toISOString(), run_id: runId }
  return replaceFetches([...loads].map(([asset, build_key]) => ({ build_key, asset, ...facts })))
}

/** Refused records are kept to be looked at, until their asset is loaded again. */
function rejectChanges(run: Run, { state }: PreparedRun): StateChange[] {
  const { workspace, progress } = run
  const loaded: string[] = []
  for (const [name, { build, because }] of progress.assets) {
    if (build === undefined || because !== undefined) continue
    const asset = workspace.project.byName.get(name)
    // One without a source had its last ones deleted when that became live.
    const isNews = build.build_key !== state.live.get(name)?.build_key
    if (isNews || (asset !== undefined && hasSource(asset))) loaded.push(name)
  }
  return [
    ...deleteRefused(workspace.environment.stateName, loaded),
    ...[...progress.refused].flatMap(([asset, refused]) => refusedChanges(refused, run, asset)),
  ]
}

function definitionChanges({ progress }: Run, { names, state, identities }: PreparedRun): StateChange[] {
  const built = names.filter(name => progress.assets.get(name)?.build?.run_id !== undefined)
  const fresh = built.filter(
    name => state.live.get(name)?.definition_hash !== identities.definitionHash(name),
  )
  return insertDefinitions(
    fresh.map(name => ({
      definition_hash: identities.definitionHash(name),
      definition: identities.canonical(name),
    })),
  )
}

/** Returns the keys of the loads that were not live in this environment and are now, by asset. */
export function newLoads(
  run: Run,
  prepared: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
): Map<string, string> {
  const loads = new Map<string, string>()
  for (const [name, { loadId }] of fetched) {
    const status = run.progress.assets.get(name)?.status
    if (status === 'built' || status === 'taken_over')
      loads.set(name, loadKeyOf(run, prepared, name, loadId).key)
  }
  return loads
}

/** Returns the complete new map, as far as it was built. */
export function newBuilds(
  { state, full, names }: PreparedRun,
  progress: RunProgress,
): Map<string, BuildRecord> {
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
