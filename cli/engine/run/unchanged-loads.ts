/**
 * Finds sources that need no fetch, because the live load was made from the same content: local files that
 * have not changed, and rows in the asset's own file. It reads no source.
 */
import { type Asset, ownRecordsOf, type Project, type SourceShapes } from '@svc/server/language'
import type { FileMemory, KnownContent } from '../ingest/file-memory.ts'
import type { Identities } from '../plan/identities.ts'
import { liveTables, rawOf } from '../plan/last-load.ts'
import type { Renewal } from '../plan/renewal.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { EmitEvent } from './events.ts'
import { isLocked } from './write-schema-lock.ts'

export interface UnchangedWork {
  readonly project: Project
  readonly sources: readonly string[]
  readonly state: StateSnapshot
  readonly renewal: Renewal
  /** Returns the key of a load by its content. */
  readonly keyOf: (name: string, loadId: string) => string
  readonly identities: Identities
  /**
   * The content of `schemas.lock.json`: a source whose load has other columns there is fetched, so that they are written (a
   * process may have died between a promotion and the file).
   */
  readonly locked: SourceShapes
  readonly memory: FileMemory
  readonly emit: EmitEvent
}

/**
 * Returns the keys of the reusable loads, by asset. Only loads behind the live map count, because garbage
 * collection cannot delete those while this run holds the lease.
 */
export async function unchangedLoads(work: UnchangedWork): Promise<Map<string, string>> {
  const loads = new Map<string, string>()
  for (const name of work.sources) {
    const started = performance.now()
    const asset = work.project.byName.get(name)
    const live = rawOf(work.state, work.state.live.get(name)?.build_key)
    if (asset === undefined || live === undefined || work.renewal.damageOf(live) !== undefined) continue
    if (!isLocked(work.locked.get(name), liveTables(work.state, name) ?? [])) continue
    const content = await knownContent(asset, live, work)
    if (content === undefined || work.keyOf(name, content.loadId) !== live.build_key) continue
    loads.set(name, live.build_key)
    const { rows, bytes } = content
    const seconds = (performance.now() - started) / 1000
    work.emit({ type: 'fetch-started', asset: name })
    work.emit({ type: 'fetch-finished', asset: name, rows, bytes, seconds, unchanged: true })
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
  { identities, memory }: UnchangedWork,
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
