/** Finds the newest run that verified each asset. */
import { isVerified } from './asset-versions.ts'
import type { HistoryAsset, HistoryRecord, StateSnapshot } from './state.ts'
import type { StateReader } from './state-store.ts'

const runsAtOnce = 10
const runsLookedAt = 200

type Looked = Pick<StateSnapshot, 'environment' | 'live' | 'history'>

/**
 * Returns the end of the last successful run that built or verified the live build of each of the assets, as ISO 8601 UTC. Runs
 * that the snapshot does not have are read until all are found.
 */
export async function readLastRuns(
  reader: StateReader,
  { environment, live, history }: Looked,
  assets: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const last = new Map<string, string>()
  const missing = new Set(assets)
  const look = (run: Ended, own: readonly HistoryAsset[]) => {
    for (const asset of own) {
      if (!missing.has(asset.name) || !isVerifiedLive(asset, live)) continue
      last.set(asset.name, run.finished_at ?? run.started_at)
      missing.delete(asset.name)
    }
  }
  const known = history.filter(isCounted)
  for (const run of known) look(run, run.assets)
  if (missing.size === 0) return last
  const ids = new Set(known.map(({ run_id }) => run_id))
  const counted = (await reader.runs())
    .filter(run => run.environment === environment && isCounted(run) && !ids.has(run.run_id))
    .slice(0, runsLookedAt)
  for (let start = 0; start < counted.length && missing.size > 0; start += runsAtOnce) {
    const some = counted.slice(start, start + runsAtOnce)
    const of = await reader.runAssets(some.map(run => run.run_id))
    for (const run of some) look(run, of.get(run.run_id) ?? [])
  }
  return last
}

type Ended = Pick<HistoryRecord, 'kind' | 'status' | 'started_at' | 'finished_at'>

function isCounted({ kind, status }: Ended): boolean {
  return kind === 'run' && status === 'deployed'
}

function isVerifiedLive(asset: HistoryAsset, live: StateSnapshot['live']): boolean {
  return isVerified(asset) && asset.build_key === live.get(asset.name)?.build_key
}
