/** The assets as rows, for the navigator (by folder) and for the table (sorted). Pure. */
import { assetStates } from '@svc/server/verdicts'
import { stateOfNode } from '../graph/asset-state.ts'
import { grouped } from '../graph/grouped.ts'
import type { GraphModel, GraphNode } from '../graph/model.ts'

export type SortKey = 'name' | 'kind' | 'status' | 'freshness' | 'tests' | 'rows' | 'last_run' | 'up' | 'down'

export interface Sort {
  readonly key: SortKey
  readonly descending: boolean
}

export interface TableRow {
  readonly node: GraphNode
  readonly up: number
  readonly down: number
}

export function tableRows(
  model: GraphModel,
  kept: ReadonlySet<number> | undefined,
  sort: Sort,
): readonly TableRow[] {
  const rows = model.nodes.flatMap((node, index) =>
    kept === undefined || kept.has(index)
      ? [{ node, up: model.parents[index]?.length ?? 0, down: model.children[index]?.length ?? 0 }]
      : [],
  )
  const sign = sort.descending ? -1 : 1
  const value = sortValues[sort.key]
  return rows.sort((a, b) => sign * compare(value(a), value(b)) || compare(a.node.name, b.node.name))
}

// When sorting by status, assets that need attention come first.
const stateRank = (node: GraphNode) =>
  node.asset === undefined ? assetStates.length : assetStates.indexOf(stateOfNode(node))
const freshnessOrder = ['error', 'warn', 'ok']

const sortValues: Readonly<Record<SortKey, (row: TableRow) => string | number>> = {
  name: row => row.node.name.toLowerCase(),
  kind: row => ['source', 'model', 'publish', 'exposure'].indexOf(row.node.kind),
  status: row => stateRank(row.node),
  freshness: row => (row.node.freshness === null ? 9 : freshnessOrder.indexOf(row.node.freshness)),
  tests: row => (row.node.tests.total === 0 ? 1e9 : -row.node.tests.failed * 1e4 + row.node.tests.total),
  rows: row => row.node.rows ?? -1,
  last_run: row => row.node.asset?.last_run ?? '',
  up: row => row.up,
  down: row => row.down,
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export type TreeRow =
  | {
      readonly type: 'group'
      readonly name: string
      readonly count: number
      readonly failed: number
      readonly open: boolean
    }
  | { readonly type: 'node'; readonly node: GraphNode; readonly position: number; readonly of: number }

/** Returns folders in the order of the pipeline: sources first, exposures last, others by name. */
export function treeRows(
  model: GraphModel,
  kept: ReadonlySet<number> | undefined,
  closed: ReadonlySet<string>,
): readonly TreeRow[] {
  const nodes = model.nodes.filter((_, index) => kept === undefined || kept.has(index))
  return [...grouped(nodes, node => node.group)]
    .sort(([a], [b]) => groupRank(a) - groupRank(b) || compare(a, b))
    .flatMap(([name, group]) => groupRows(name, group, !closed.has(name)))
}

function groupRank(name: string): number {
  const at = ['sources', 'staging', 'intermediate'].indexOf(name)
  if (name === 'exposures') return 9
  if (name === 'publish targets') return 8
  return at < 0 ? 5 : at
}

function groupRows(name: string, nodes: readonly GraphNode[], open: boolean): TreeRow[] {
  const sorted = [...nodes].sort((a, b) => compare(a.name, b.name))
  const failed = nodes.filter(node => node.asset !== undefined && stateOfNode(node) === 'Failed').length
  const head: TreeRow = { type: 'group', name, count: nodes.length, failed, open }
  if (!open) return [head]
  return [
    head,
    ...sorted.map((node, at): TreeRow => ({ type: 'node', node, position: at + 1, of: nodes.length })),
  ]
}

/**
 * Returns the next row whose name starts with the typed text, from `from` on and around the end; -1 if there
 * is none.
 */
export function typeAhead(rows: readonly TreeRow[], from: number, typed: string): number {
  const looked = typed.toLowerCase()
  for (let step = 0; step < rows.length; step++) {
    const at = (from + step) % rows.length
    const row = rows[at]
    const name = row?.type === 'group' ? row.name : row?.node.name
    if (name?.toLowerCase().startsWith(looked) === true) return at
  }
  return -1
}
