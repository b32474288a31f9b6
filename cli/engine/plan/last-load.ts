/** Determines the last raw load of an asset, on which `run --no-ingest` and the forecast of a plan build. */
import type { RawTable } from '@svc/server/language'
import type { BuildRecord, BuiltColumn, StateSnapshot } from '../state/state.ts'

/**
 * Returns the load behind the live build if the source's definition is unchanged, otherwise the newest
 * complete load of the current definition; undefined if there is none.
 */
export function lastLoad(
  state: StateSnapshot,
  name: string,
  rawDefinitionHash: string,
): BuildRecord | undefined {
  const behindLive = rawOf(state, state.live.get(name)?.build_key)
  if (behindLive?.definition_hash === rawDefinitionHash) return behindLive
  let newest: BuildRecord | undefined
  for (const load of loadsByAsset(state).get(name) ?? []) {
    if (load.definition_hash !== rawDefinitionHash) continue
    if (newest === undefined || newest.created_at < load.created_at) newest = load
  }
  return newest
}

/** Returns the raw load that a model build pins. */
export function rawOf(state: StateSnapshot, buildKey: string | undefined): BuildRecord | undefined {
  const model = buildKey === undefined ? undefined : state.builds.get(buildKey)
  for (const pin of model?.pins ?? []) {
    const pinned = state.builds.get(pin)
    if (pinned?.part === 'raw' && pinned.asset === model?.asset) return pinned
  }
  return undefined
}

/** Returns the tables of the load behind the live build; undefined if the asset is not live. */
export function liveTables(state: StateSnapshot, name: string): readonly RawTable[] | undefined {
  return loadedTables(state, state.live.get(name)?.build_key)
}

/** Returns the tables of the load that a build was made from; undefined if it has none. */
export function loadedTables(
  state: StateSnapshot,
  buildKey: string | undefined,
): readonly RawTable[] | undefined {
  const raw = rawOf(state, buildKey)
  return raw === undefined ? undefined : tablesOfLoad(raw)
}

/** Returns the tables of a load as they are in the warehouse. */
export function tablesOfLoad(raw: BuildRecord): readonly RawTable[] {
  const children = Object.entries(raw.children).map(([child, { columns }]) => tableOf(child, columns))
  return [tableOf(undefined, raw.columns), ...children]
}

/** Returns the tables of a load with what is known of their columns besides. */
export function withKnown(
  tables: readonly RawTable[],
  before: readonly RawTable[] = [],
): readonly RawTable[] {
  return tables.map(table => {
    const known = before.find(({ child }) => child === table.child)?.columns ?? []
    const columns = table.columns.map(column => {
      const same = known.find(({ name }) => name === column.name)
      return same === undefined ? column : { ...same, type: column.type }
    })
    return { ...table, columns }
  })
}

function tableOf(child: string | undefined, columns: readonly BuiltColumn[]): RawTable {
  return {
    child,
    columns: columns.map(({ name, type, absent, absentSince, presence }) => ({
      name,
      type,
      path: [name],
      system: name.startsWith('_svc_'),
      pii: false,
      nullable: true,
      ...(absent === true ? { absent } : {}),
      ...(absentSince === undefined ? {} : { absentSince }),
      ...(presence === undefined ? {} : { presence }),
    })),
    complete: true,
  }
}

/** Returns the newest load that a run of this environment made, or that is live in it. */
export function newestLoad(state: StateSnapshot, name: string): BuildRecord | undefined {
  const runs = new Set(state.history.map(({ run_id }) => run_id))
  let newest = rawOf(state, state.live.get(name)?.build_key)
  for (const load of loadsByAsset(state).get(name) ?? []) {
    if (!runs.has(load.run_id)) continue
    if (newest === undefined || newest.created_at < load.created_at) newest = load
  }
  return newest
}

const loads = new WeakMap<ReadonlyMap<string, BuildRecord>, Map<string, BuildRecord[]>>()

export function loadsByAsset(state: StateSnapshot): Map<string, BuildRecord[]> {
  const known = loads.get(state.builds)
  if (known !== undefined) return known
  const byAsset = new Map<string, BuildRecord[]>()
  for (const build of state.builds.values()) {
    if (build.part !== 'raw') continue
    const list = byAsset.get(build.asset)
    if (list === undefined) byAsset.set(build.asset, [build])
    else list.push(build)
  }
  loads.set(state.builds, byAsset)
  return byAsset
}
