/** Finds the builds that maps of runs still need; garbage collection deletes the others. */
import type { HistoryAsset, HistoryRecord } from './state.ts'
import type { StateReader } from './state-store.ts'

/** The build key of each asset after a run. */
export type GenerationMap = ReadonlyMap<string, string>

/** Returns what a run built, reused or kept; assets without a build are absent. */
export function mapOfRun(run: HistoryRecord): GenerationMap {
  return mapOfAssets(run.assets)
}

export function mapOfAssets(assets: readonly HistoryAsset[]): GenerationMap {
  const map = new Map<string, string>()
  for (const { name, build_key } of assets) if (build_key !== null) map.set(name, build_key)
  return map
}

/** Returns the maps of the runs, by run id. */
export async function readRunMaps(
  state: StateReader,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, GenerationMap>> {
  const assets = await state.runAssets(runIds)
  return new Map([...assets].map(([runId, each]) => [runId, mapOfAssets(each)]))
}

/**
 * Returns the builds of `roots` (build keys of all maps that count) and everything that these pin, at any
 * depth.
 */
export function reachableBuilds(
  roots: Iterable<string>,
  builds: ReadonlyMap<string, { readonly pins: readonly string[] }>,
): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...roots]
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const build = builds.get(key)
    if (build === undefined || reached.has(key)) continue
    reached.add(key)
    open.push(...build.pins)
  }
  return reached
}
