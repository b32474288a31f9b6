/** Determines the last raw load of an asset, on which `run --no-ingest` and the forecast of a plan build. */
import { groupBy, type RawTable, validTo } from '@svc/server/language'
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
  const behindLive = loadBehindLive(state, name)
  if (behindLive?.definition_hash === rawDefinitionHash) return behindLive
  return newestOf(loadsOf(state, name).filter(load => load.definition_hash === rawDefinitionHash))
}

/** Of two that were made at the same time, the first. */
function newestOf(loads: readonly BuildRecord[]): BuildRecord | undefined {
  return loads.reduce<BuildRecord | undefined>(
    (newest, load) => (newest !== undefined && newest.created_at >= load.created_at ? newest : load),
    undefined,
  )
}

export function liveBuild({ live, builds }: StateSnapshot, name: string): BuildRecord | undefined {
  return builds.get(live.get(name)?.build_key ?? '')
}

/** Returns the live builds by asset. */
export function liveBuilds(state: StateSnapshot): Map<string, BuildRecord> {
  return new Map(
    [...state.live.keys()].flatMap(name => {
      const build = liveBuild(state, name)
      return build === undefined ? [] : [[name, build] as const]
    }),
  )
}

/** Returns the raw load behind the live build. */
export function loadBehindLive(state: StateSnapshot, name: string): BuildRecord | undefined {
  return rawOf(state, state.live.get(name)?.build_key)
}

/** Whether the load behind the live build has versions of records that no source has any more. */
export function holdsVersions(state: StateSnapshot, name: string): boolean {
  return loadBehindLive(state, name)?.columns.some(column => column.name === validTo) === true
}

/** Returns the raw load that a model build pins. */
export function rawOf(state: StateSnapshot, buildKey: string | undefined): BuildRecord | undefined {
  return pinnedLoad(state, state.builds.get(buildKey ?? ''))
}

/** The same of a build that may be no part of the state yet. */
export function pinnedLoad({ builds }: StateSnapshot, model: BuildRecord | undefined) {
  return model?.pins
    .map(pin => builds.get(pin))
    .find(pinned => pinned?.part === 'raw' && pinned.asset === model.asset)
}

/** Returns the relation of a load, or of one of its child tables. */
export function relationOf(load: BuildRecord | undefined, child: string | undefined) {
  return child === undefined ? load?.relation : load?.children[child]?.relation
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
    const byName = new Map(known.map(column => [column.name, column]))
    const columns = table.columns.map(column => {
      const same = byName.get(column.name)
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
  const own = loadsOf(state, name).filter(load => runs.has(load.run_id))
  return newestOf([loadBehindLive(state, name) ?? [], own].flat())
}

const loads = new WeakMap<ReadonlyMap<string, BuildRecord>, Map<string, BuildRecord[]>>()

export function loadsOf({ builds }: StateSnapshot, name: string): readonly BuildRecord[] {
  let byAsset = loads.get(builds)
  if (byAsset === undefined) {
    byAsset = groupBy(
      [...builds.values()].filter(({ part }) => part === 'raw'),
      ({ asset }) => asset,
    )
    loads.set(builds, byAsset)
  }
  return byAsset.get(name) ?? []
}
