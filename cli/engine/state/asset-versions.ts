/**
 * Which versions of assets a run made (interface.md 9.3): the assets that show another build since it, and those that it failed
 * to give one. `svc versions`, the history file, context packs and pages all tell these. Pure.
 */
import type { HistoryAsset, HistoryRecord } from './state.ts'

export interface RunVersions {
  /** The assets that show another build since the run: built, reused, promoted or rolled back. */
  readonly deployed: ReadonlySet<string>
  /** The assets that kept what they had, because they failed. */
  readonly failed: ReadonlySet<string>
}

const nothing: RunVersions = { deployed: new Set(), failed: new Set() }

/**
 * Returns the versions that each run made, by its id. `history`: the runs of one environment, newest first. What was live before
 * the oldest of them is not known, unless nothing was: of that one the assets that it built count.
 */
export function versionsByRun(history: readonly HistoryRecord[]): ReadonlyMap<string, RunVersions> {
  const versions = new Map<string, RunVersions>()
  let live: Map<string, string> | undefined
  for (const run of history.toReversed()) {
    if (run.kind === 'preview' || run.status === 'running') continue
    if (live === undefined && run.from_generation === 0) live = new Map()
    const failed = namesOf(run.assets, hasFailed)
    if (run.status === 'Failed') {
      versions.set(run.run_id, { ...nothing, failed })
      continue
    }
    const before = live
    const isAnother = (asset: HistoryAsset) =>
      before === undefined
        ? asset.status === 'built' || asset.status === 'taken_over'
        : before.get(asset.name) !== asset.build_key
    const shown = run.assets.filter(asset => asset.build_key !== null && !hasFailed(asset))
    versions.set(run.run_id, { deployed: namesOf(shown, isAnother), failed })
    live = liveAfter(run, shown, before)
  }
  return versions
}

/** What failed or was skipped shows what it showed; a map that was shortened leaves out what stayed as it was. */
function liveAfter(
  run: HistoryRecord,
  shown: readonly HistoryAsset[],
  before: ReadonlyMap<string, string> | undefined,
): Map<string, string> {
  const live = new Map(isTrimmed(run.assets) ? before : undefined)
  for (const { name } of run.assets) {
    const key = before?.get(name)
    if (key !== undefined) live.set(name, key)
  }
  for (const { name, build_key } of shown) if (build_key !== null) live.set(name, build_key)
  return live
}

/** Whether a run looked at an asset and found it as it should be. */
export function isVerified({ status }: { readonly status: string }): boolean {
  return status === 'built' || status === 'taken_over' || status === 'unchanged'
}

export function hasFailed({ status }: { readonly status: string }): boolean {
  return status === 'failed' || status === 'test_failed'
}

/** The last run that had to do with an asset, what it says of it, and how that ended. */
export interface LastOutcome {
  readonly run: HistoryRecord
  readonly asset: HistoryAsset
  readonly status: 'deployed' | 'Failed' | 'skipped'
}

/**
 * Returns per asset the outcome of the newest finished run that looked at it; previews are no deployments, and what a run kept it
 * did not look at. `names`: once all of them are found, no older run is read, because its list of assets is long.
 */
export function lastOutcomes(
  history: readonly HistoryRecord[],
  names?: readonly string[],
): ReadonlyMap<string, LastOutcome> {
  const found = new Map<string, LastOutcome>()
  for (const run of history) {
    if (run.kind === 'preview' || run.status === 'running') continue
    if (names?.every(name => found.has(name)) === true) break
    for (const asset of run.assets) {
      if (found.has(asset.name) || asset.status === 'kept') continue
      const status = outcomeIn(run, asset)
      if (status !== undefined) found.set(asset.name, { run, asset, status })
    }
  }
  return found
}

/** Returns undefined for an asset of a failed run that had no part in the failure: it is as it was before. */
function outcomeIn(run: HistoryRecord, asset: HistoryAsset): LastOutcome['status'] | undefined {
  if (hasFailed(asset)) return 'Failed'
  if (asset.status === 'skipped') return 'skipped'
  return run.status === 'Failed' ? undefined : 'deployed'
}

function namesOf(assets: readonly HistoryAsset[], is: (asset: HistoryAsset) => boolean): ReadonlySet<string> {
  return new Set(assets.filter(is).map(({ name }) => name))
}

/** Marks a shortened row, in which assets that are not listed were unchanged. No asset has this name. */
export const trimMarker: HistoryAsset = {
  name: '',
  definition_hash: '',
  build_key: null,
  rows: null,
  seconds: 0,
  status: 'kept',
}

export function isTrimmed(assets: readonly HistoryAsset[]): boolean {
  return assets[0]?.name === trimMarker.name
}
