/**
 * Walks over the lineage breadth-first: by assets or by columns, up or down, to any depth. Cycles end,
 * because no place is visited twice. Edges are queried one level at a time, so that the cost depends on the
 * result and not on the project.
 */
import { noPace, type Pace } from '../../http/pace.ts'
import { grouped } from '../../storage/grouped.ts'
import type { ColumnPair } from '../pack/pack.ts'

export type Direction = 'upstream' | 'downstream'

export interface Edge {
  readonly from: number
  readonly to: number
  readonly kind: string
  readonly columns: readonly ColumnPair[]
}

/** Returns all edges that leave (`downstream`) or enter (`upstream`) one of the assets. */
export type FetchEdges = (assets: readonly number[], direction: Direction) => Promise<readonly Edge[]>

export interface Visit {
  readonly asset: number
  /** 1 for neighbours. */
  readonly depth: number
}

export interface Walk {
  /** Without the start, by depth, then by record number. */
  readonly visits: readonly Visit[]
  /** Every edge between two visited places. */
  readonly edges: readonly Edge[]
}

/** Returns the assets that can be reached from `start` in at most `depth` steps. */
export async function walkAssets(
  start: number,
  direction: Direction,
  depth: number,
  fetch: FetchEdges,
  pace: Pace = noPace,
): Promise<Walk> {
  const seen = new Set([start])
  const visits: Visit[] = []
  const edges: Edge[] = []
  let level = [start]
  for (let step = 1; step <= depth && level.length > 0; step++) {
    const next = new Set<number>()
    for (const edge of await fetch(level, direction)) {
      edges.push(edge)
      const asset = farEnd(edge, direction)
      if (!seen.has(asset)) next.add(asset)
      const pause = pace.pause()
      if (pause !== undefined) await pause
    }
    level = [...next].sort((a, b) => a - b)
    for (const asset of level) {
      seen.add(asset)
      visits.push({ asset, depth: step })
    }
  }
  return { visits, edges }
}

export interface ColumnPlace {
  readonly asset: number
  readonly column: string
}

export interface ColumnVisit extends ColumnPlace {
  readonly depth: number
  /** The column of the previous level through which it was reached first. */
  readonly via: ColumnPlace
  /**
   * Set if no value of the start can be read here: every path to it passes a hash, a count or a comparison.
   */
  readonly masked: boolean
}

/**
 * Returns the columns that can be reached from `starts`. Masked columns are visited and marked as such;
 * `through` decides where the walk ends: the place itself is visited, nothing behind it.
 */
export async function walkColumns(
  starts: readonly ColumnPlace[],
  direction: Direction,
  depth: number,
  fetch: FetchEdges,
  through: (place: ColumnPlace, masked: boolean) => boolean = () => true,
  pace: Pace = noPace,
): Promise<readonly ColumnVisit[]> {
  const best = new Map<string, boolean>(starts.map(place => [keyOf(place), false]))
  const visits = new Map<string, ColumnVisit>()
  let level = starts.map(place => ({ ...place, masked: false }))
  for (let step = 1; step <= depth && level.length > 0; step++) {
    const edges = byNearEnd(await fetch([...new Set(level.map(place => place.asset))], direction), direction)
    const next = new Map<string, ColumnPlace & { readonly masked: boolean }>()
    for (const via of level) {
      const pause = pace.pause()
      if (pause !== undefined) await pause
      for (const { place, masking } of columnSteps(via, edges.get(via.asset) ?? [], direction)) {
        const key = keyOf(place)
        const masked = via.masked || masking
        const before = best.get(key)
        // A place is visited again if a readable path is found after a masked one.
        if (before === false || before === masked) continue
        best.set(key, masked)
        visits.set(key, { ...place, depth: visits.get(key)?.depth ?? step, via: bare(via), masked })
        if (through(place, masked)) next.set(key, { ...place, masked })
      }
    }
    level = [...next.values()]
  }
  return [...visits.values()].sort(byPlace)
}

function columnSteps(at: ColumnPlace, edges: readonly Edge[], direction: Direction) {
  const name = at.column.toLowerCase()
  return edges.flatMap(edge =>
    pairsOf(edge, direction === 'downstream' ? 'from' : 'to', name).map(pair => ({
      place: { asset: farEnd(edge, direction), column: direction === 'downstream' ? pair.to : pair.from },
      masking: pair.masking === true,
    })),
  )
}

type PairIndex = ReadonlyMap<string, readonly ColumnPair[]>

/** An edge between wide assets has thousands of pairs, of which a step needs those of one column. */
const indexes = { from: new WeakMap<Edge, PairIndex>(), to: new WeakMap<Edge, PairIndex>() }

/** @param name in lower case */
export function pairsOf(edge: Edge, end: 'from' | 'to', name: string): readonly ColumnPair[] {
  const known = indexes[end].get(edge)
  if (known !== undefined) return known.get(name) ?? []
  const index = grouped(edge.columns, pair => pair[end].toLowerCase())
  indexes[end].set(edge, index)
  return index.get(name) ?? []
}

/** Remembers edges, because the columns of one asset lead to the same assets again and again. */
export function remembering(fetch: FetchEdges): FetchEdges {
  const known = { upstream: new Map<number, Edge[]>(), downstream: new Map<number, Edge[]>() }
  return async (assets, direction) => {
    const groups = known[direction]
    const unknown = assets.filter(asset => !groups.has(asset))
    if (unknown.length > 0) {
      const edges = await fetch(unknown, direction)
      for (const asset of unknown) groups.set(asset, [])
      for (const edge of edges) groups.get(direction === 'downstream' ? edge.from : edge.to)?.push(edge)
    }
    return assets.flatMap(asset => groups.get(asset) ?? [])
  }
}

/** Column names are compared ignoring case. */
export function keyOf({ asset, column }: ColumnPlace): string {
  return `${asset}\0${column.toLowerCase()}`
}

function bare({ asset, column }: ColumnPlace): ColumnPlace {
  return { asset, column }
}

function farEnd(edge: Edge, direction: Direction): number {
  return direction === 'downstream' ? edge.to : edge.from
}

function byNearEnd(edges: readonly Edge[], direction: Direction): ReadonlyMap<number, readonly Edge[]> {
  return grouped(edges, edge => (direction === 'downstream' ? edge.from : edge.to))
}

function byPlace(a: ColumnVisit, b: ColumnVisit): number {
  return a.depth - b.depth || a.asset - b.asset || (a.column < b.column ? -1 : a.column > b.column ? 1 : 0)
}
