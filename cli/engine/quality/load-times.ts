/**
 * When the rows that are live were last fetched (decisions 9, "Here, not anywhere"): whichever command deployed them, and
 * whichever environment asked their source. One answer for `svc freshness`, the catalogue and the dashboard.
 */
import { readLastRuns } from '../state/last-runs.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { StateReader } from '../state/state-store.ts'

/** ISO 8601 UTC, by asset. */
export type LoadTimes = ReadonlyMap<string, string>

/**
 * Returns the time of all live assets. Rows that no source gave, and loads of an older svc, are as old as the last run that built
 * or verified them.
 */
export async function readLoadTimes(reader: StateReader, state: StateSnapshot): Promise<LoadTimes> {
  const fetched = fetchTimes(state, await reader.fetches())
  const others = new Set([...state.live.keys()].filter(name => !fetched.has(name)))
  const runs = await readLastRuns(reader, state, others)
  return new Map(
    [...state.live].flatMap(([name, { build_key }]) => {
      const time = fetched.get(name) ?? runs.get(name) ?? state.builds.get(build_key)?.created_at
      return time === undefined ? [] : [[name, time] as const]
    }),
  )
}

/**
 * Returns the time of the oldest fetch among the loads that a live asset was made from. Assets that were made from none, or
 * from one whose fetch no record tells (of an older svc), are absent.
 * @param fetches when each load was last found at its source, by build key
 */
export function fetchTimes({ live, builds }: StateSnapshot, fetches: ReadonlyMap<string, string>): LoadTimes {
  const oldest = oldestFetch(builds, fetches)
  return new Map(
    [...live].flatMap(([name, { build_key }]) => {
      const time = oldest(build_key)
      return typeof time === 'string' ? [[name, time] as const] : []
    }),
  )
}

/** Null: made from no load. Undefined: not known. */
type Oldest = string | null | undefined

function oldestFetch(builds: ReadonlyMap<string, BuildRecord>, fetches: ReadonlyMap<string, string>) {
  const known = new Map<string, Oldest>()
  const ofBuild = (key: string): Oldest => {
    if (known.has(key)) return known.get(key)
    const build = builds.get(key)
    const time =
      build === undefined || build.part === 'raw' ? fetches.get(key) : older(build.pins.map(ofBuild))
    known.set(key, time)
    return time
  }
  return ofBuild
}

function older(times: readonly Oldest[]): Oldest {
  if (times.includes(undefined)) return undefined
  return times.reduce((least, time) => (least == null || (time != null && time < least) ? time : least), null)
}
