/**
 * Rows that the loads of an asset have gathered, and that its source need not have any more: whether the next load goes on with
 * them, and what a removal or another definition loses. Whether the next load has another content is another question
 * (`identities.ts`).
 */
import {
  type Asset,
  type ClassedChange,
  gathersRows,
  historyChanges,
  type Project,
  type StoredSource,
  storedSource,
} from '@svc/server/language'
import type { BuildRecord, CatalogRecord, StateSnapshot } from '../state/state.ts'
import type { Identities } from './identities.ts'
import { holdsVersions, loadBehindLive } from './last-load.ts'
import type { Renewal } from './renewal.ts'

export interface GatheredRows {
  readonly load: BuildRecord
  /** How many there are. */
  readonly rows: number
  /** `refused`: they would go, and nobody has agreed to that. */
  readonly fate: 'kept' | 'lost' | 'refused'
  /** Why they would go, in words; undefined where they are kept. */
  readonly because: string | undefined
  /** The keys of the definition that have changed for them, such as `ingest.resource`. */
  readonly keys: readonly string[]
  /** Whether keys say so that cannot go on with them, whatever `on_change` says. */
  readonly isFinal: boolean
  /** Why the source is read again from its start; undefined where the load goes on. */
  readonly restarts: 'refresh' | 'definition' | undefined
  /** What the source was when they were loaded; undefined where it is defined as it was. */
  readonly earlier: StoredSource | undefined
}

interface GatheredFacts {
  readonly state: StateSnapshot
  readonly project: Project
  readonly identities: Identities
  readonly renewal: Renewal
  /** The canonical texts of deployed definitions, by definition hash. */
  readonly definitions: ReadonlyMap<string, string>
}

/** Returns undefined if the loads of the asset gather nothing that its source need not have. */
export function gatheredRows(name: string, facts: GatheredFacts): GatheredRows | undefined {
  const { state, project, identities, renewal, definitions } = facts
  const asset = project.byName.get(name)
  const live = state.live.get(name)
  const load = loadBehindLive(state, name)
  if (asset === undefined || live === undefined || load === undefined) return undefined
  const isSame = live.definition_hash === identities.definitionHash(name)
  const { ingest } = asset.definition
  // Most sources gather nothing, and a canonical text costs time.
  if (isSame && (ingest.type === 'none' || ingest.write === 'replace')) return undefined
  const before = isSame ? identities.canonical(name) : definitions.get(live.definition_hash)
  if (before === undefined || !gathersRows(storedSource(before))) return undefined
  const earlier = storedSource(before)
  const changes = isSame ? [] : historyChanges(earlier, storedSource(identities.canonical(name)))
  const isAsLoaded = load.definition_hash === identities.rawDefinitionHash(name)
  const found = {
    load,
    rows: load.rows ?? 0,
    keys: changes.map(({ key }) => key),
    isFinal: changes.some(isFinal),
    earlier: isAsLoaded ? undefined : earlier,
  }
  const isRefreshed = renewal.assets.has(name)
  const loss = lossOf(asset, changes, { isRefreshed, isGone: renewal.damageOf(load) !== undefined })
  if (loss !== undefined) return { ...found, ...loss, restarts: undefined }
  const restarts = isRefreshed ? 'refresh' : readsAgain(asset, changes) ? 'definition' : undefined
  return { ...found, fate: 'kept', because: undefined, restarts }
}

/** A write that keeps fewer rows, and another shape of lists, have no place for what was gathered. */
function isFinal({ key, role }: ClassedChange): boolean {
  return role === 'origin' && (key === 'ingest.write' || key === 'ingest.nested' || key === 'ingest.type')
}

interface Wish {
  readonly isRefreshed: boolean
  readonly isGone: boolean
}

function lossOf(
  { definition: { ingest } }: Asset,
  changes: readonly ClassedChange[],
  { isRefreshed, isGone }: Wish,
): Pick<GatheredRows, 'fate' | 'because'> | undefined {
  if (isGone) return { fate: 'lost', because: 'their table is gone from the warehouse' }
  const others = changes.filter(({ role }) => role === 'origin').map(({ key }) => key)
  const keepsVersions = ingest.type !== 'none' && ingest.write === 'scd2'
  if (isRefreshed && !(keepsVersions && others.length === 0))
    return { fate: 'lost', because: 'a full refresh begins anew' }
  if (others.length === 0) return undefined
  const because = `${others.join(', ')} ${others.length === 1 ? 'is' : 'are'} not what ${others.length === 1 ? 'it was' : 'they were'}`
  const onChange = ingest.type === 'none' ? 'fail' : ingest.onChange
  if (onChange === 'rebuild') return { fate: 'lost', because }
  return onChange === 'forward' && !changes.some(isFinal) ? undefined : { fate: 'refused', because }
}

/** Columns that come are filled by what the source still has, where that replaces what was gathered. */
function readsAgain({ definition: { ingest } }: Asset, changes: readonly ClassedChange[]): boolean {
  const replaces = ingest.type !== 'none' && (ingest.write === 'merge' || ingest.write === 'scd2')
  return changes.some(({ role }) => role === 'records' || (role === 'columns' && replaces))
}

/** Returns what a plan says of them beside the asset; undefined where nothing changes, and where the run would be refused. */
export function fateInWords({ rows, fate, because, keys, restarts }: GatheredRows): string | undefined {
  const gathered = rowsInWords(rows)
  if (fate === 'lost') return `${gathered} go, because ${because}`
  if (keys.length === 0 || fate === 'refused') return undefined
  const again = restarts === undefined ? '' : ', and its source is read again from the start'
  return `${gathered} stay${again}`
}

export function rowsInWords(rows: number): string {
  return `the ${rows === 1 ? '1 row' : `${rows} rows`} that its loads have gathered`
}

/** Returns what is live and has no file any more. */
export function removedFrom({ live }: StateSnapshot, { byName }: Project): CatalogRecord[] {
  return [...live.values()].filter(({ asset }) => !byName.has(asset))
}

/**
 * Returns what goes with the last kept run of a removed asset: a new name for it does not keep them, they are those of the
 * old one. `definition`: its canonical text, as far as it is known.
 */
export function goesWith(
  state: StateSnapshot,
  name: string,
  definition: string | undefined,
): string | undefined {
  if (holdsVersions(state, name))
    return 'earlier versions of its records, which no source has any more, go with the last kept run'
  if (definition === undefined || !gathersRows(storedSource(definition))) return undefined
  return 'what its loads have gathered goes with the last kept run, and its source need not have it any more'
}
