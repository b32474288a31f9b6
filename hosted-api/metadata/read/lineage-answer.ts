/**
 * Returns the body of GET …/assets/{id}/lineage (interface.md 2.11), by assets or by columns, as lists or as
 * a graph.
 */
import { numberRows } from '../../storage/index.ts'
import { requireBearable } from '../lineage/bearable.ts'
import {
  type ColumnVisit,
  type Direction,
  type Edge,
  remembering,
  type Visit,
  walkAssets,
  walkColumns,
} from '../lineage/walk.ts'
import { fetchEdges } from '../store/edges.ts'
import { namesOf } from '../store/nodes.ts'
import { type Reading, visible } from '../store/visible.ts'
import { refOf } from './about-asset.ts'

export interface LineageQuery {
  readonly depth: number
  readonly directions: readonly Direction[]
  /** Undefined means all columns of the asset. */
  readonly column: string | undefined
}

/** `depth` is included if more than neighbours were requested. */
export async function assetLineage(reading: Reading, asset: number, query: LineageQuery) {
  const { queries, pace } = reading
  const fetch = fetchEdges(reading)
  const walks = await Promise.all(
    query.directions.map(async direction => ({
      direction,
      visits: (await walkAssets(asset, direction, query.depth, fetch, pace)).visits,
    })),
  )
  const names = await namesOf(
    queries,
    walks.flatMap(walk => walk.visits.map(visit => visit.asset)),
  )
  const listOf = (direction: Direction) => {
    const visits = walks.find(walk => walk.direction === direction)?.visits ?? []
    return sorted(visits, names).map(({ asset: id, depth }) => ({
      ...refOf({ id, name: names.get(id) ?? '' }),
      ...(query.depth > 1 && { depth }),
    }))
  }
  return { upstream: listOf('upstream'), downstream: listOf('downstream') }
}

/** Returns nodes and edges of the same walk. */
export async function lineageGraph(reading: Reading, asset: number, query: LineageQuery) {
  const fetch = fetchEdges(reading)
  const edges = new Map<string, Edge>()
  const depths = new Map<number, number>([[asset, 0]])
  for (const direction of query.directions) {
    const walk = await walkAssets(asset, direction, query.depth, fetch, reading.pace)
    // Upstream nodes have negative depths, so that all nodes are ordered from one end to the other.
    for (const visit of walk.visits) {
      if (!depths.has(visit.asset))
        depths.set(visit.asset, direction === 'upstream' ? -visit.depth : visit.depth)
    }
    for (const edge of walk.edges) edges.set(`${edge.from} ${edge.to} ${edge.kind}`, edge)
  }
  const nodes = await nodesOf(reading, [...depths.keys()])
  return {
    nodes: nodes
      .map(node => ({ ...node, depth: depths.get(node.asset_id) ?? 0 }))
      .sort((a, b) => a.depth - b.depth || a.asset_id - b.asset_id),
    edges: [...edges.values()].sort((a, b) => a.from - b.from || a.to - b.to),
  }
}

type Node = ReturnType<typeof refOf> & { readonly kind: string; readonly path: string }

function nodesOf({ queries, head }: Reading, assets: readonly number[]): Promise<readonly Node[]> {
  return queries.all(
    `select asset_id, name as asset_name, kind, path from asset_state as state
      where state.asset_id in (${numberRows(queries.engine)}) and ${visible('state')}`,
    [JSON.stringify(assets), head, head],
  )
}

interface ColumnReach {
  readonly column: string
  readonly upstream: readonly ColumnVisit[]
  readonly downstream: readonly ColumnVisit[]
}

/** Returns upstream and downstream columns for each column of the asset. */
export async function columnLineage(
  reading: Reading,
  asset: number,
  columns: readonly string[],
  query: LineageQuery,
) {
  const { queries, pace } = reading
  const fetch = remembering(fetchEdges(reading))
  const walk = (column: string, direction: Direction) =>
    query.directions.includes(direction)
      ? walkColumns([{ asset, column }], direction, query.depth, fetch, undefined, pace)
      : []
  const wanted = query.column === undefined ? columns : [query.column]
  const reaches: ColumnReach[] = []
  let places = 0
  for (const column of wanted) {
    const upstream = await walk(column, 'upstream')
    const reach: ColumnReach = { column, upstream, downstream: await walk(column, 'downstream') }
    reaches.push(reach)
    places += upstream.length + reach.downstream.length
    requireBearable(places)
  }
  const names = await namesOf(
    queries,
    reaches.flatMap(({ upstream, downstream }) => [...upstream, ...downstream].map(visit => visit.asset)),
  )
  const told = (visits: ColumnReach['upstream']) =>
    visits.map(({ asset: id, column, depth, masked }) => ({
      ...refOf({ id, name: names.get(id) ?? '' }),
      column,
      depth,
      masked,
    }))
  return {
    columns: reaches.map(({ column, upstream, downstream }) => ({
      column,
      upstream: told(upstream),
      downstream: told(downstream),
    })),
  }
}

function sorted(visits: readonly Visit[], names: ReadonlyMap<number, string>): readonly Visit[] {
  const nameOf = ({ asset }: Visit) => names.get(asset) ?? ''
  return [...visits].sort(
    (a, b) => a.depth - b.depth || (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0),
  )
}
