/**
 * Shortens the maps of old runs: behind the archives nobody rolls back to them, and ten thousand assets in each row add
 * up. What an asset's versions and its freshness rest on stays: what was built, what failed, and the last time that an
 * asset was verified.
 */
import { readRunAssets } from '../state/read-last-runs.ts'
import { type RunSummary, readRuns } from '../state/read-state.ts'
import type { HistoryAsset } from '../state/state.ts'
import { stateTable } from '../state/tables.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { keptRuns } from './collect-garbage.ts'

/** Rows that every command reads. */
const newestRows = 10
const rowsLookedAt = 40
/** Shorter ones are not worth it. */
const shortText = 20_000

/** Says in a shortened row that assets which are not in it were as before. No asset has such a name. */
const marker: HistoryAsset = {
  name: '',
  definition_hash: '',
  build_key: null,
  rows: null,
  seconds: 0,
  status: 'kept',
}

export function isTrimmed(assets: readonly HistoryAsset[]): boolean {
  return assets[0]?.name === ''
}

export async function trimHistory(session: WarehouseSession, workspace: Workspace): Promise<void> {
  const runs = await readRuns(session)
  const kept = keptRuns(runs, workspace)
  for (const environment of new Set(runs.map(run => run.environment))) {
    const own = runs.filter(run => run.environment === environment)
    const old = own
      .slice(newestRows)
      .filter(({ run_id, status }) => !kept.maps.has(run_id) && status !== 'running')
      // What a promotion or a rollback moved is told by its map alone; there are few of them.
      .filter(({ kind }) => kind === 'run' || kind === 'preview')
      // Those behind have had their turn.
      .slice(0, rowsLookedAt)
    const long = await longRows(session, old)
    if (long.length > 0) await trimRows(session, long, own.slice(0, newestRows))
  }
}

/** Asked for by length, so that none of the texts has to be read. */
async function longRows(session: WarehouseSession, runs: readonly RunSummary[]): Promise<RunSummary[]> {
  if (runs.length === 0) return []
  const { dialect } = session
  const text = dialect.toText('assets')
  const rows = await session.query<{ run_id: string }>(
    `SELECT run_id FROM ${stateTable(dialect, 'svc_state_history')}
     WHERE run_id IN (${runs.map(({ run_id }) => dialect.literal(run_id)).join(', ')})
       AND length(${text}) > ${shortText} AND ${text} NOT LIKE '[{"name":""%'`,
  )
  const long = new Set(rows.map(({ run_id }) => run_id))
  return runs.filter(({ run_id }) => long.has(run_id))
}

async function trimRows(
  session: WarehouseSession,
  old: readonly RunSummary[],
  newest: readonly RunSummary[],
): Promise<void> {
  const counted = newest.filter(({ kind, status }) => kind === 'run' && status === 'deployed')
  const idsOf = (runs: readonly RunSummary[]) => runs.map(({ run_id }) => run_id)
  const verified = new Set<string>()
  for (const assets of (await readRunAssets(session, idsOf(counted))).values())
    for (const { name, status } of assets)
      if (status === 'built' || status === 'unchanged') verified.add(name)
  const rows = await readRunAssets(session, idsOf(old))
  const { dialect } = session
  const table = stateTable(dialect, 'svc_state_history')
  const statements = [...rows].map(([runId, assets]) => {
    const trimmed = JSON.stringify([marker, ...assets.filter(asset => isWorthKeeping(asset, verified))])
    return {
      sql: `UPDATE ${table} SET assets = ${dialect.literal(trimmed)} WHERE run_id = ${dialect.literal(runId)}`,
    }
  })
  await session.transaction(statements)
}

function isWorthKeeping({ name, status }: HistoryAsset, verified: ReadonlySet<string>): boolean {
  return status !== 'kept' && (status !== 'unchanged' || !verified.has(name))
}
