/**
 * Finds records that a contract rejected in an earlier load and that this load contains. A source with
 * `write: replace` is fetched completely in every run, so all its records are checked against the corrected
 * contract. A record that the source no longer delivers is not loaded again, because it may have been
 * corrected at the source.
 */
import { quoteLiteral, withLocalReader } from '@svc/server/catalog'
import { groupBy, internalName } from '@svc/server/language'
import type { FetchedSource } from '../ingest/source.ts'
import { loadBehindLive } from '../plan/last-load.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { OpenReject } from '../state/state-store.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'

/** Returns record hashes by asset. `loadKeys` are the keys of the new loads. */
export async function replayedRejects(
  session: WarehouseSession,
  state: StateSnapshot,
  fetched: ReadonlyMap<string, FetchedSource>,
  loadKeys: ReadonlyMap<string, string>,
): Promise<Map<string, readonly string[]>> {
  const replayed = new Map<string, readonly string[]>()
  for (const [asset, open] of await openRejects(session, state, loadKeys)) {
    const source = fetched.get(asset)
    const found = source === undefined ? [] : await deliveredNow(source, open)
    if (found.length > 0) replayed.set(asset, found)
  }
  return replayed
}

/** Limits the cost of comparing old rejects; rejects of a project beyond this number are not compared. */
const followed = 100_000

async function openRejects(
  session: WarehouseSession,
  state: StateSnapshot,
  loadKeys: ReadonlyMap<string, string>,
): Promise<Map<string, OpenReject[]>> {
  const assets = [...loadKeys.keys()]
  if (assets.length === 0) return new Map()
  const liveLoads = assets.flatMap(name => loadBehindLive(state, name)?.build_key ?? [])
  const exceptLoads = [...loadKeys.values()]
  const { environment } = state
  const wanted = { environment, assets, liveLoads, exceptLoads, limit: followed }
  return groupBy(await session.state.openRejects(wanted), ({ asset }) => asset)
}

async function deliveredNow(source: FetchedSource, rejects: readonly OpenReject[]): Promise<string[]> {
  const wanted = `SELECT unnest([${rejects.map(({ record_hash }) => quoteLiteral(record_hash)).join(', ')}])`
  const sql = `SELECT DISTINCT record_hash FROM (${source.recordHashes}) AS ${internalName('loaded')} WHERE record_hash IN (${wanted})`
  const rows = await withLocalReader({}, local => local.rows(sql))
  return rows.map(row => String(row['record_hash']))
}
