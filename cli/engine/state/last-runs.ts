/** Finds the newest run that verified each asset, for `svc freshness`. */
import type { HistoryAsset, StateSnapshot } from './state.ts'
import type { StateReader } from './state-store.ts'

const runsAtOnce = 10
const runsLookedAt = 200

/** Returns the end of the last successful run that built or verified the live build of each asset, as ISO 8601 UTC. */
export async function readLastRuns(
  reader: StateReader,
  { environment, live }: Pick<StateSnapshot, 'environment' | 'live'>,
): Promise<Map<string, string>> {
  const counted = (await reader.runs())
    .filter(run => run.environment === environment && run.kind === 'run' && run.status === 'deployed')
    .slice(0, runsLookedAt)
  const last = new Map<string, string>()
  for (let start = 0; start < counted.length; start += runsAtOnce) {
    const some = counted.slice(start, start + runsAtOnce)
    const assets = await reader.runAssets(some.map(run => run.run_id))
    for (const run of some) {
      const at = run.finished_at ?? run.started_at
      for (const asset of assets.get(run.run_id) ?? [])
        if (!last.has(asset.name) && isVerified(asset, live)) last.set(asset.name, at)
    }
  }
  return last
}

function isVerified({ name, status, build_key }: HistoryAsset, live: StateSnapshot['live']): boolean {
  return (status === 'built' || status === 'unchanged') && build_key === live.get(name)?.build_key
}
