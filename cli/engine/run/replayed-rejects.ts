/**
 * Finds records that a contract rejected in an earlier load and that this load contains. A source with
 * `write: replace` is fetched completely in every run, so all its records are checked against the corrected
 * contract. A record that the source no longer delivers is not loaded again, because it may have been
 * corrected at the source.
 */
import { quoteLiteral, withLocalReader } from '@svc/server/catalog'
import type { FetchedSource } from '../ingest/source.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'

/** Returns record hashes by asset. `loadKeys` are the keys of the new loads. */
export async function replayedRejects(
  session: WarehouseSession,
  fetched: ReadonlyMap<string, FetchedSource>,
  loadKeys: ReadonlyMap<string, string>,
): Promise<Map<string, readonly string[]>> {
  const replayed = new Map<string, readonly string[]>()
  for (const [asset, open] of await openRejects(session, loadKeys)) {
    const source = fetched.get(asset)
    const found = source === undefined ? [] : await deliveredNow(source, open)
    if (found.length > 0) replayed.set(asset, found)
  }
  return replayed
}

/** Limits the cost of comparing old rejects; rejects of a project beyond this number are not compared. */
const followed = 100_000

async function openRejects(
  { state }: WarehouseSession,
  loadKeys: ReadonlyMap<string, string>,
): Promise<Map<string, string[]>> {
  const open = new Map<string, string[]>()
  const wanted = { assets: [...loadKeys.keys()], exceptLoads: [...loadKeys.values()], limit: followed }
  for (const { asset, record_hash } of await state.openRejects(wanted)) {
    const hashes = open.get(asset)
    if (hashes === undefined) open.set(asset, [record_hash])
    else hashes.push(record_hash)
  }
  return open
}

async function deliveredNow(source: FetchedSource, hashes: readonly string[]): Promise<string[]> {
  const wanted = `SELECT unnest([${hashes.map(quoteLiteral).join(', ')}])`
  const sql = `SELECT DISTINCT record_hash FROM (${source.recordHashes}) AS loaded WHERE record_hash IN (${wanted})`
  const rows = await withLocalReader({}, local => local.rows(sql))
  return rows.map(row => String(row['record_hash']))
}
