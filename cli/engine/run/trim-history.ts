/**
 * Shortens the maps of old runs: no rollback can return to a generation behind the archives, and ten thousand
 * assets in each row add up. What versions and freshness are computed from is kept: what was built, what
 * failed, and the last time that an asset was verified.
 */
import { isVerified, trimMarker } from '../state/asset-versions.ts'
import { replaceAssets } from '../state/changes.ts'
import { newestFirst } from '../state/run-order.ts'
import type { HistoryAsset, RunSummary } from '../state/state.ts'
import type { StateReader } from '../state/state-store.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { keptRuns } from './collect-garbage.ts'

/** The number of rows that every command reads. */
const newestRows = 10
const rowsLookedAt = 40
/** Shorter maps are not worth trimming. */
const shortText = 20_000

/** `runs`: all of the project. */
export async function trimHistory(
  session: WarehouseSession,
  workspace: Workspace,
  runs: readonly RunSummary[],
): Promise<void> {
  const kept = keptRuns(runs, workspace)
  for (const environment of new Set(runs.map(run => run.environment))) {
    const own = runs.filter(run => run.environment === environment).sort(newestFirst)
    const old = own
      .slice(newestRows)
      .filter(({ run_id, status }) => !kept.maps.has(run_id) && status !== 'running')
      // Promotions and rollbacks are described only by their maps; there are few of them.
      .filter(({ kind }) => kind === 'run' || kind === 'preview')
      // Older rows were trimmed earlier.
      .slice(0, rowsLookedAt)
    const long = await session.state.longRuns(idsOf(old), shortText)
    if (long.size > 0) await trimRows(session, [...long], own.slice(0, newestRows))
  }
}

async function trimRows(
  { state }: WarehouseSession,
  old: readonly string[],
  newest: readonly RunSummary[],
): Promise<void> {
  const rows = await state.runAssets(old)
  const unchanged = [...rows.values()].flat().filter(({ status }) => status === 'unchanged')
  const unverified = await notVerified(state, new Set(unchanged.map(({ name }) => name)), newest)
  const changes = [...rows].flatMap(([runId, assets]) =>
    replaceAssets(runId, [trimMarker, ...assets.filter(asset => isWorthKeeping(asset, unverified))]),
  )
  await state.commit(changes)
}

/** Reads one run after the other: usually the newest has looked at all assets, and each is megabytes. */
async function notVerified(
  state: StateReader,
  names: Set<string>,
  newest: readonly RunSummary[],
): Promise<ReadonlySet<string>> {
  for (const { run_id, kind, status } of newest) {
    if (names.size === 0) break
    if (kind !== 'run' || status !== 'deployed') continue
    for (const assets of (await state.runAssets([run_id])).values())
      for (const { name, status } of assets) if (isVerified({ status })) names.delete(name)
  }
  return names
}

function idsOf(runs: readonly RunSummary[]): string[] {
  return runs.map(({ run_id }) => run_id)
}

function isWorthKeeping({ name, status }: HistoryAsset, unverified: ReadonlySet<string>): boolean {
  return status !== 'kept' && (status !== 'unchanged' || unverified.has(name))
}
