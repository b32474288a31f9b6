/**
 * Which records that a contract kept out of an earlier load are in this one. A source with `write: replace` is fetched
 * whole in every run, so a mended contract judges its records anew; one that the source no longer delivers stays out,
 * because bringing it back would undo what was mended there.
 */
import { openLocalReader, quoteLiteral } from '@svc/server/catalog'
import type { FetchedSource } from '../ingest/source.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'

/** Record hashes by asset. `loadKeys`: the new loads. */
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

/** Bounds what a look at old rejects may cost; more of one project than these are not followed. */
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
  const local = await openLocalReader({})
  try {
    const wanted = `SELECT unnest([${hashes.map(quoteLiteral).join(', ')}])`
    const rows = await local.rows(
      `SELECT DISTINCT record_hash FROM (${source.recordHashes}) AS loaded WHERE record_hash IN (${wanted})`,
    )
    return rows.map(row => String(row['record_hash']))
  } finally {
    local.close()
  }
}
