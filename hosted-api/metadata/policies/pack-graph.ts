/**
 * A pack as a graph for policies, before it is stored: facts and edges, with the stored or provisional
 * numbers of its assets.
 */
import { grouped } from '../../storage/grouped.ts'
import type { Edge, FetchEdges } from '../lineage/walk.ts'
import { ownerOf } from '../pack/compare.ts'
import type { Pack } from '../pack/pack.ts'
import { type AssetFacts, assetFacts } from './asset-facts.ts'

export type PackGraph = ReturnType<typeof packGraph>

/** @param numbers record numbers of stored assets; all others get negative numbers */
export function packGraph(pack: Pack, numbers: ReadonlyMap<string, number>) {
  const own = new Map<string, number>()
  const idOf = (identifier: string): number => {
    const known = numbers.get(identifier) ?? own.get(identifier)
    if (known !== undefined) return known
    own.set(identifier, -own.size - 1)
    return -own.size
  }
  const { default_schema: schema } = pack.project
  return {
    facts: [...pack.assets, ...pack.outsiders].map(node =>
      assetFacts({ ...node, asset: idOf(node.identifier) }, schema),
    ),
    edges: pack.edges.map(({ from, to, kind, columns }) => ({
      from: idOf(from),
      to: idOf(to),
      kind,
      columns,
    })),
  }
}

export function factsById(facts: readonly AssetFacts[]): ReadonlyMap<number, AssetFacts> {
  return new Map(facts.map(each => [each.asset, each]))
}

/** Returns the edges of a graph in memory. */
export function edgesOf(edges: readonly Edge[]): FetchEdges {
  const from = grouped(edges, edge => edge.from)
  const to = grouped(edges, edge => edge.to)
  return async (assets, direction) => {
    const groups = direction === 'downstream' ? from : to
    return assets.flatMap(asset => groups.get(asset) ?? [])
  }
}

/** Returns the stored edges, with the assets of a partial pack instead of their stored versions. */
export function overlaid(stored: FetchEdges, { facts, edges }: PackGraph): FetchEdges {
  const replaced = new Set(facts.filter(({ kind }) => kind !== 'external').map(({ asset }) => asset))
  const added = edgesOf(edges)
  return async (assets, direction) => {
    const kept = await stored(
      assets.filter(asset => asset > 0),
      direction,
    )
    return [...kept.filter(edge => !replaced.has(ownerOf(edge))), ...(await added(assets, direction))]
  }
}
