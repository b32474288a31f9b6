/** Runs by what they verified, newest first: ground of `svc freshness`. */
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { readRuns } from './read-state.ts'
import type { HistoryAsset } from './state.ts'
import { stateTable } from './tables.ts'

/** What became of each asset in the runs, by run id. */
export async function readRunAssets(
  session: WarehouseSession,
  runIds: readonly string[],
): Promise<Map<string, readonly HistoryAsset[]>> {
  if (runIds.length === 0) return new Map()
  const { dialect } = session
  const rows = await session.query<{ run_id: string; assets: string }>(
    `SELECT run_id, ${dialect.toText('assets')} AS assets
     FROM ${stateTable(dialect, 'svc_state_history')}
     WHERE run_id IN (${runIds.map(dialect.literal).join(', ')})`,
  )
  return new Map(rows.map(({ run_id, assets }) => [run_id, JSON.parse(assets) as HistoryAsset[]]))
}

const runsAtOnce = 10
const runsLookedAt = 200

/** When each asset was last built or verified by a successful run (decisions 3, `freshness`). */
export async function readLastRuns(
  session: WarehouseSession,
  environment: string,
): Promise<Map<string, Date>> {
  const counted = (await readRuns(session))
    .filter(run => run.environment === environment && run.kind === 'run' && run.status === 'deployed')
    .slice(0, runsLookedAt)
  const last = new Map<string, Date>()
  for (let start = 0; start < counted.length; start += runsAtOnce) {
    const some = counted.slice(start, start + runsAtOnce)
    const assets = await readRunAssets(
      session,
      some.map(run => run.run_id),
    )
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
