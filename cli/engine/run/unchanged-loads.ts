/**
 * Finds sources that need no fetch, because the live load was made from the same content: local files that
 * have not changed, and rows in the asset's own file. It reads no source.
 */
import { type Asset, ownRecordsOf } from '@svc/server/language'
import type { FileMemory, KnownContent } from '../ingest/file-memory.ts'
import { liveTables, loadBehindLive } from '../plan/last-load.ts'
import type { BuildRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { type LiveElsewhere, liveElsewhere, withElsewhere } from './live-elsewhere.ts'
import { loadKeyOf } from './load-keys.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { isLocked, readSchemaLock } from './write-schema-lock.ts'

/**
 * Returns the keys of the reusable loads among those of `sources`, by asset. Only loads behind the live map count, because
 * garbage collection cannot delete those while this run holds the lease. A source whose load has other columns in
 * `schemas.lock.json` is fetched, so that they are written: a process may have died between a promotion and the file.
 */
export async function unchangedLoads(
  run: Run,
  prepared: PreparedRun,
  sources: readonly string[],
  memory: FileMemory,
  session: WarehouseSession,
): Promise<Map<string, string>> {
  const { workspace, emit } = run
  const { state, renewal } = prepared
  let elsewhere: LiveElsewhere | undefined
  const locked = readSchemaLock(workspace)
  const loads = new Map<string, string>()
  for (const name of sources) {
    const started = performance.now()
    const asset = workspace.project.byName.get(name)
    const live = loadBehindLive(state, name)
    if (asset === undefined || live === undefined || renewal.damageOf(live) !== undefined) continue
    const [inLock, tables] = [locked.shapes.get(name), liveTables(state, name) ?? []]
    if (!isLocked(inLock, tables)) {
      elsewhere ??= await liveElsewhere(session, state)
      const all = withElsewhere(tables, elsewhere(name), inLock, workspace.project.engine)
      if (!isLocked(inLock, all)) continue
    }
    const content = await knownContent(asset, live, prepared, memory)
    if (content === undefined || loadKeyOf(run, prepared, name, content.loadId).key !== live.build_key)
      continue
    loads.set(name, live.build_key)
    const { rows, bytes } = content
    const seconds = (performance.now() - started) / 1000
    emit({ type: 'fetch-started', asset: name })
    emit({ type: 'fetch-finished', asset: name, rows, bytes, seconds, unchanged: true })
  }
  return loads
}

/**
 * Rows in the asset file are part of the definition, so an unchanged definition means unchanged content.
 * Contracts are checked again.
 */
async function knownContent(
  asset: Asset,
  live: BuildRecord,
  { identities }: PreparedRun,
  memory: FileMemory,
): Promise<KnownContent | undefined> {
  const { ingest } = asset.definition
  const records = ownRecordsOf(ingest)
  if (records === undefined) return memory.recall(asset)
  if (asset.definition.contract !== undefined) return undefined
  if (live.load_id === null || live.definition_hash !== identities.rawDefinitionHash(asset.name))
    return undefined
  const bytes = Buffer.byteLength(JSON.stringify(records))
  return { loadId: live.load_id, rows: live.rows ?? 0, bytes }
}
