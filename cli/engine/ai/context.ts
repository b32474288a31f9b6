/**
 * What a language model or an agent is told about a project (interface.md 4.4, decisions 4): the context pack of an upload,
 * ordered by distance from one asset and cut to a size. The same files give the same bytes. Pure.
 */
import type { ContextPack, HistoryRun } from '@svc/server/contract'
import type { Gathered } from '../upload/make-pack.ts'
import type { PackEntry } from '../upload/pack-glossary.ts'
import { withoutUnitRows } from './hide-unit-rows.ts'

export interface ContextWish {
  /** The asset in the middle; undefined means all assets in the order of their files. */
  readonly focus: string | undefined
  /** The last results. Definitions are always there: a store would lose what a pack of the asset does not say. */
  readonly results: boolean
  readonly history: boolean
  /** Of the pack as JSON without white space. */
  readonly mostBytes: number
  /**
   * Whether far assets may lose their blocks before they are left out. A store that takes the pack would take the rest for
   * the whole asset.
   */
  readonly shortens: boolean
}

export interface Context {
  readonly pack: ContextPack
  /** Names of assets that are there without their blocks, and of those that are left out, near ones first. */
  readonly shortened: readonly string[]
  readonly omitted: readonly string[]
  /** By name, in steps of lineage; empty without a focus. */
  readonly distances: ReadonlyMap<string, number>
}

type PackAsset = ContextPack['assets'][number]
type MetricReads = Gathered['metricReads']
type Edge = { readonly from: string; readonly to: string }

export function contextOf({ pack: whole, runs, metricReads }: Gathered, wish: ContextWish): Context {
  const clean = withoutUnitRows(whole)
  const distances = wish.focus === undefined ? new Map<string, number>() : distancesFrom(whole, wish.focus)
  const assets = inOrder(clean.assets, distances, wish.focus)
  const about = new Set(assets.map(nameOf))
  const frame = {
    ...frameOf(clean, about, wish, metricReads),
    scope: 'partial',
    ...(wish.history ? { history: runsAbout(runs, about) } : {}),
  }
  const { kept, shortened, omitted } = fitted(assets, wish, wish.mostBytes - sizeOf(frame))
  const isFull = wish.focus === undefined && omitted.length === 0 && shortened.length === 0
  const names = new Set(kept.map(nameOf))
  // A store keeps what a partial pack does not mention.
  const pack = { ...frame, scope: isFull ? 'full' : 'partial', assets: kept } as ContextPack
  return { pack: onlyAbout(pack, names), shortened, omitted, distances }
}

/** Steps up or down the lineage; an asset beside the way is not reached. */
function distancesFrom(pack: ContextPack, focus: string): ReadonlyMap<string, number> {
  const distances = new Map([[focus, 0]])
  for (const [near, far] of [
    ['to', 'from'],
    ['from', 'to'],
  ] as const) {
    const next = new Map<string, string[]>()
    for (const edge of edgesOf(pack)) {
      const list = next.get(edge[near])
      if (list === undefined) next.set(edge[near], [edge[far]])
      else list.push(edge[far])
    }
    const seen = new Set([focus])
    let level = [focus]
    for (let step = 1; level.length > 0; step++) {
      level = [...new Set(level.flatMap(name => next.get(name) ?? []))].filter(name => !seen.has(name))
      for (const name of level) {
        seen.add(name)
        distances.set(name, Math.min(distances.get(name) ?? step, step))
      }
    }
  }
  return distances
}

function inOrder(
  assets: readonly PackAsset[],
  distances: ReadonlyMap<string, number>,
  focus: string | undefined,
): readonly PackAsset[] {
  if (focus === undefined) return assets
  const far = (asset: PackAsset) => distances.get(nameOf(asset)) ?? Number.POSITIVE_INFINITY
  return assets
    .filter(asset => distances.has(nameOf(asset)))
    .toSorted((a, b) => far(a) - far(b) || compare(nameOf(a), nameOf(b)))
}

/** Everything but the assets. What changes with every look at a project (times of writing) is left out. */
function frameOf(
  whole: ContextPack,
  names: ReadonlySet<string>,
  wish: ContextWish,
  metricReads: MetricReads,
): ContextPack {
  const { generated_at, schemas, test_results, versions, assets, ...rest } = whole
  const entries = rest.glossary as readonly PackEntry[]
  return onlyAbout(
    {
      ...rest,
      assets: [],
      ...(wish.results ? { test_results: test_results ?? {} } : {}),
      ...(wish.history ? { versions: versions ?? {} } : {}),
      glossary: wish.focus === undefined ? entries : glossaryAbout(entries, names, metricReads),
    },
    names,
  )
}

/** Leaves out what is about other assets; an edge is kept when one end is there. */
function onlyAbout(pack: ContextPack, names: ReadonlySet<string>): ContextPack {
  const own = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)))
  return {
    ...pack,
    lineage: edgesOf(pack).filter(({ from, to }) => names.has(from) || names.has(to)),
    ...(pack.exposures && { exposures: pack.exposures.filter(({ asset }) => names.has(asset)) }),
    ...(pack.tests && { tests: pack.tests.filter(({ asset }) => names.has(asset)) }),
    ...(pack.test_results && { test_results: own(pack.test_results) }),
    ...(pack.versions && { versions: own(pack.versions) }),
  }
}

const mostRuns = 10

/** The last runs that did something with one of the assets, or failed as a whole. */
function runsAbout(runs: readonly HistoryRun[], names: ReadonlySet<string>): HistoryRun[] {
  return runs
    .map(run => ({ ...run, assets: run.assets.filter(({ name }) => names.has(name)) }))
    .filter(run => run.assets.length > 0 || run.status === 'Failed')
    .slice(0, mostRuns)
}

/** Terms and metrics of the assets; dimensions and policies are few, and may be about any of them. */
function glossaryAbout(
  glossary: readonly PackEntry[],
  names: ReadonlySet<string>,
  metricReads: MetricReads,
): readonly PackEntry[] {
  return glossary.filter(entry => {
    if (entry.kind === 'term') return entry.links.some(({ asset }) => names.has(asset))
    if (entry.kind !== 'metric') return true
    return metricReads.get(entry.identifier)?.some(name => names.has(name)) === true
  })
}

/** Far assets lose their blocks first; when only the first has any left, far ones are left out. */
function fitted(assets: readonly PackAsset[], { shortens }: ContextWish, room: number) {
  const short = shortens ? assets.map(({ blocks, ...asset }) => asset) : assets
  const sizes = assets.map(sizeOf)
  const shortSizes = short.map(sizeOf)
  let total = sum(sizes)
  let whole = assets.length
  while (total > room && whole > 1) {
    whole--
    total -= (sizes[whole] ?? 0) - (shortSizes[whole] ?? 0)
  }
  let count = assets.length
  while (total > room && count > 1) {
    count--
    total -= shortSizes[count] ?? 0
  }
  const kept = Math.min(whole, count)
  if (!shortens)
    return { kept: assets.slice(0, count), shortened: [], omitted: assets.slice(count).map(nameOf) }
  return {
    kept: [...assets.slice(0, kept), ...short.slice(kept, count)],
    shortened: assets.slice(kept, count).map(nameOf),
    omitted: assets.slice(count).map(nameOf),
  }
}

function edgesOf({ lineage }: ContextPack): readonly Edge[] {
  return (lineage ?? []) as readonly Edge[]
}

function nameOf({ name, id }: PackAsset): string {
  return name ?? id ?? ''
}

/** Bytes with the comma after it. */
function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
