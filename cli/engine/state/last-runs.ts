/** Finds the newest run that verified each asset, for `svc freshness`. */
import type { HistoryAsset } from './state.ts'
import type { StateReader } from './state-store.ts'

const runsAtOnce = 10
const runsLookedAt = 200

/** Returns when each asset was last built or verified by a successful run (decisions 3, `freshness`). */
export async function readLastRuns(state: StateReader, environment: string): Promise<Map<string, Date>> {
  const counted = (await state.runs())
    .filter(run => run.environment === environment && run.kind === 'run' && run.status === 'deployed')
    .slice(0, runsLookedAt)
  const last = new Map<string, Date>()
  for (let start = 0; start < counted.length; start += runsAtOnce) {
    const some = counted.slice(start, start + runsAtOnce)
    const assets = await state.runAssets(some.map(run => run.run_id))
    for (const run of some)
      noteVerified(last, assets.get(run.run_id) ?? [], run.finished_at ?? run.started_at)
  }
  return last
}

function noteVerified(last: Map<string, Date>, assets: readonly HistoryAsset[], at: string): void {
  for (const { name, status } of assets) {
    if (!last.has(name) && (status === 'built' || status === 'unchanged')) last.set(name, new Date(at))
  }
}
