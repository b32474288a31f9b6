/**
 * The lineage as a graph: nodes with their display data, and edges by position in the list. Made again from
 * each catalogue. Independent of the screen.
 */
import { publishVerdicts, type RunVerdict } from '@svc/server/verdicts'
import type { CatalogAsset, CatalogFile, CatalogPublish } from '../protocol.ts'
import { type Freshness, freshnessOf } from './freshness.ts'
import { grouped } from './grouped.ts'

export type NodeKind = 'source' | 'model' | 'publish' | 'exposure'
export type NodeStatus =
  | 'deployed'
  | 'failed'
  | 'never'
  | 'waiting'
  | 'running'
  | 'done'
  | 'reused'
  | 'skipped'

export interface GraphNode {
  /** The name of an asset, `exposure:<name>` or `publish:<target>`. */
  readonly id: string
  readonly name: string
  readonly kind: NodeKind
  /** The folder under which it is shown. */
  readonly group: string
  readonly status: NodeStatus
  /** null if there is no threshold, or it never ran. */
  readonly freshness: Freshness | null
  /** `warned` tests failed too, but they never stop a run and are not counted in `failed`. */
  readonly tests: { readonly total: number; readonly failed: number; readonly warned: number }
  readonly rows: number | null
  /** How many warnings there are of what is live, beside those of tests. */
  readonly warned: number
  /** Whether somebody has dropped or replaced in the warehouse what it shows. */
  readonly gone: boolean
  /** What the last publish came to, of a target that has one. */
  readonly verdict?: RunVerdict | undefined
  /** The number of problems in its file. */
  readonly problems: ProblemCounts
  /** Undefined for what is outside: an exposure, a publish target. */
  readonly asset: CatalogAsset | undefined
}

export interface ProblemCounts {
  readonly errors: number
  readonly warnings: number
}

/** What is known of assets beside the catalogue. */
export interface Notes {
  /** The number of failed tests of an asset that only warn. */
  readonly warnings: ReadonlyMap<string, number>
  /** The problems of a file, by its path. */
  readonly problems: ReadonlyMap<string, ProblemCounts>
  /** The assets that failed in a run which is newer than what the catalogue says of them. */
  readonly failed: ReadonlySet<string>
}

export interface GraphEdge {
  readonly from: number
  readonly to: number
}

export interface GraphModel {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  /** The kinds that some asset has. */
  readonly kinds: ReadonlySet<NodeKind>
  readonly indexOf: ReadonlyMap<string, number>
  readonly parents: readonly (readonly number[])[]
  readonly children: readonly (readonly number[])[]
}

export function targetId(name: string): string {
  return `publish:${name}`
}

export function exposureId(name: string): string {
  return `exposure:${name}`
}

/** `nowMs` is used to compute ages. Edges to unknown assets are left out. */
export function makeGraphModel(catalog: CatalogFile, nowMs: number, notes: Notes = noNotes): GraphModel {
  const exposures = [...new Set(catalog.exposures.map(exposure => exposure.name))]
  const assets = catalog.assets.map(asset => assetNode(asset, nowMs, notes))
  const publishes = catalog.publishes ?? []
  const targets = [...grouped(publishes, ({ name }) => name)].map(([name, own]) => targetNode(name, own))
  const nodes = [...assets, ...targets, ...exposures.map(exposureNode)]
  const indexOf = new Map(nodes.map((node, index) => [node.id, index]))
  const named = [
    ...catalog.assets.flatMap(({ name, upstream }) => upstream.map(parent => ({ from: parent, to: name }))),
    ...publishes.map(({ asset, name }) => ({ from: asset, to: targetId(name) })),
    ...catalog.exposures.map(({ asset, name }) => ({ from: asset, to: exposureId(name) })),
  ]
  const edges = knownEdges(named, indexOf)
  const kinds = new Set(nodes.map(node => node.kind))
  return {
    nodes,
    edges,
    kinds,
    indexOf,
    ...neighbours(nodes.length, edges),
  }
}

const noNotes: Notes = { warnings: new Map(), problems: new Map(), failed: new Set() }
const noProblems: ProblemCounts = { errors: 0, warnings: 0 }

function assetNode(asset: CatalogAsset, nowMs: number, notes: Notes): GraphNode {
  const warned = notes.warnings.get(asset.name) ?? 0
  return {
    id: asset.name,
    name: asset.name,
    kind: asset.kind,
    group: groupOf(asset),
    status: notes.failed.has(asset.name) ? 'failed' : statusOf(asset),
    freshness: freshnessOf(asset, nowMs),
    tests: { total: asset.summary.total, failed: Math.max(0, asset.summary.failed - warned), warned },
    rows: asset.rows,
    // Those of tests are counted among the tests.
    warned: (asset.warnings ?? []).filter(({ code }) => code !== 'warned-test').length,
    gone: asset.gone !== undefined,
    problems: notes.problems.get(asset.path) ?? noProblems,
    asset,
  }
}

function statusOf({ status }: CatalogAsset): NodeStatus {
  if (status === null) return 'never'
  return status === 'Failed' ? 'failed' : status
}

/** `publishes`: of all assets that are sent there; the worst of them counts. */
function targetNode(name: string, publishes: readonly CatalogPublish[]): GraphNode {
  const lasts = publishes.flatMap(({ last }) => last ?? [])
  const known = lasts.flatMap(({ rows }) => rows ?? [])
  const verdicts = new Set(lasts.map(verdictOf))
  return {
    ...exposureNode(name),
    id: targetId(name),
    kind: 'publish',
    group: 'publish targets',
    status: lasts.some(({ status }) => status === 'Failed')
      ? 'failed'
      : lasts.some(({ status }) => status === 'published')
        ? 'deployed'
        : 'never',
    verdict: publishVerdicts.find(each => verdicts.has(each)),
    rows: known.length === 0 ? null : known.reduce((sum, rows) => sum + rows, 0),
  }
}

/** A catalogue of an older svc has no verdicts. */
function verdictOf({ verdict, status }: NonNullable<CatalogPublish['last']>): RunVerdict {
  return verdict ?? (status === 'published' ? 'Published' : status === 'running' ? 'Running' : 'Failed')
}

function exposureNode(name: string): GraphNode {
  return {
    id: exposureId(name),
    name,
    kind: 'exposure',
    group: 'exposures',
    status: 'never',
    freshness: null,
    tests: { total: 0, failed: 0, warned: 0 },
    rows: null,
    warned: 0,
    gone: false,
    problems: noProblems,
    asset: undefined,
  }
}

/**
 * Returns the folder `staging` for `models/staging/orders.svc`; a file directly in `models` is grouped by its
 * kind.
 */
function groupOf({ path, kind }: CatalogAsset): string {
  const folders = path.split('/').slice(0, -1)
  if (folders.length > 1) return folders.slice(1).join('/')
  return kind === 'publish' ? 'publish targets' : `${kind}s`
}

/** Returns the edges whose ends are both known, by their new positions and each once. */
export function knownEdges<End>(
  given: readonly { readonly from: End; readonly to: End }[],
  indexOf: ReadonlyMap<End, number>,
): GraphEdge[] {
  const seen = new Set<number>()
  const edges: GraphEdge[] = []
  for (const edge of given) {
    const from = indexOf.get(edge.from)
    const to = indexOf.get(edge.to)
    if (from === undefined || to === undefined) continue
    const key = from * indexOf.size + to
    if (seen.has(key)) continue
    seen.add(key)
    edges.push({ from, to })
  }
  return edges
}

export function neighbours(
  count: number,
  edges: readonly GraphEdge[],
): { parents: readonly (readonly number[])[]; children: readonly (readonly number[])[] } {
  const parents: number[][] = Array.from({ length: count }, () => [])
  const children: number[][] = Array.from({ length: count }, () => [])
  for (const { from, to } of edges) {
    children[from]?.push(to)
    parents[to]?.push(from)
  }
  return { parents, children }
}
