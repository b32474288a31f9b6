/** Compares a pack with what is stored, and returns the difference that an upload writes. Pure. */
import type { NodeKind } from '../../../server/contract/pack.ts'
import { grouped } from '../../storage/grouped.ts'
import { contentHash } from './content-hash.ts'
import type { StoredContent } from './keep-unsaid.ts'
import type { Pack, PackAsset, PackEdge } from './pack.ts'

/** The stored state of a node, without its content. */
export interface KnownNode {
  readonly asset: number
  readonly identifier: string
  readonly name: string
  readonly kind: NodeKind
  readonly hash: string
  readonly detailsHash: string
  readonly edgesHash: string
  /** Asked for only where a pack leaves parts of assets out. */
  readonly content?: StoredContent
}

/** A node with a new state. */
export type NodeState = ReturnType<typeof stateOf>

export interface PackChange {
  /** Names of assets that are new, or had been removed. */
  readonly added: readonly string[]
  /** Assets whose content or edges changed. */
  readonly changed: readonly { readonly asset: number; readonly node: PackAsset }[]
  readonly removed: readonly { readonly asset: number; readonly name: string }[]
  readonly states: readonly NodeState[]
  /** Assets whose current state ends; those in `states` get a new one. */
  readonly closedStates: readonly number[]
  /** Assets whose own edges end. */
  readonly closedEdges: readonly number[]
  readonly edges: readonly PackEdge[]
  /** In a partial pack: edges of assets outside the pack; they are added and end nothing. */
  readonly loose: readonly PackEdge[]
}

/** @param known all current nodes of the project */
export function comparePack(pack: Pack, known: readonly KnownNode[]): PackChange {
  const resolved = pack.scope === 'partial' ? resolvedPack(pack, known) : pack
  const nodes = [...resolved.assets, ...resolved.outsiders]
  const stored = new Map(known.map(node => [node.identifier, node]))
  const own = grouped(resolved.edges, ownerOf)
  const states: NodeState[] = []
  const added: string[] = []
  const changed: { asset: number; node: PackAsset }[] = []
  const closedStates: number[] = []
  const closedEdges: number[] = []
  const edges: PackEdge[] = []
  for (const node of nodes) {
    const before = stored.get(node.identifier)
    const state = stateOf(node, own.get(node.identifier) ?? [])
    const isAsset = !isOutsider(node.kind)
    const isNew = before === undefined || (isAsset && isOutsider(before.kind))
    const sameContent = before !== undefined && before.hash === state.hash
    const sameEdges = before !== undefined && before.edgesHash === state.edgesHash
    if (sameContent && sameEdges && before.detailsHash === state.detailsHash) continue
    states.push(state)
    if (before !== undefined) closedStates.push(before.asset)
    if (isNew && isAsset) added.push(node.name)
    else if (isAsset && before !== undefined && !(sameContent && sameEdges))
      changed.push({ asset: before.asset, node })
    if (sameEdges) continue
    if (before !== undefined) closedEdges.push(before.asset)
    edges.push(...(own.get(node.identifier) ?? []))
  }
  const ids = new Set(nodes.map(node => node.identifier))
  const gone = pack.scope === 'full' ? known.filter(node => !ids.has(node.identifier)) : []
  for (const { asset } of gone) {
    closedStates.push(asset)
    closedEdges.push(asset)
  }
  return {
    added,
    changed,
    removed: gone.filter(node => !isOutsider(node.kind)).map(({ asset, name }) => ({ asset, name })),
    states,
    closedStates,
    closedEdges,
    edges,
    loose: resolved.edges.filter(edge => !ids.has(ownerOf(edge))),
  }
}

export function isOutsider(kind: string): kind is 'external' | 'exposure' {
  return kind === 'external' || kind === 'exposure'
}

function stateOf(node: PackAsset, edges: readonly PackEdge[]) {
  const { details, ...content } = node
  return {
    node,
    hash: contentHash(content),
    detailsHash: contentHash(details),
    edgesHash: contentHash(sorted(edges)),
  }
}

interface EdgeEnds<Asset> {
  readonly kind: string
  readonly from: Asset
  readonly to: Asset
}

/** Returns the asset in whose file an edge is written: the reader, or the asset with the exposure. */
export function ownerOf<Asset>({ kind, from, to }: EdgeEnds<Asset>): Asset {
  return kind === 'exposure' ? from : to
}

function sorted(edges: readonly PackEdge[]): readonly PackEdge[] {
  const key = ({ from, to, kind }: PackEdge) => `${from}\0${to}\0${kind}`
  return [...edges].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** In a partial pack, resolves other names to assets of the project; unknown ones are external. */
export function resolvedPack(pack: Pack, known: readonly KnownNode[]): Pack {
  const byName = new Map(known.map(node => [node.name, node.identifier]))
  for (const { identifier } of known) byName.set(identifier, identifier)
  const own = new Set(pack.assets.map(asset => asset.identifier))
  const isExternal = new Set(
    pack.outsiders.filter(node => node.kind === 'external').map(node => node.identifier),
  )
  const idOf = (written: string) =>
    own.has(written) || !isExternal.has(written) ? written : (byName.get(written) ?? written)
  return {
    ...pack,
    outsiders: pack.outsiders.filter(node => node.kind !== 'external' || !byName.has(node.identifier)),
    edges: pack.edges.map(edge => ({ ...edge, from: idOf(edge.from), to: idOf(edge.to) })),
  }
}
