/** Summarizes the assets of a folder: the worst state of each kind. Pure. */
import type { GraphNode, NodeStatus } from './model.ts'

export interface Rollup {
  readonly count: number
  readonly status: NodeStatus
  readonly freshness: GraphNode['freshness']
  readonly tests: GraphNode['tests']
}

const worstFirst: readonly NodeStatus[] = [
  'failed',
  'running',
  'waiting',
  'skipped',
  'never',
  'done',
  'reused',
  'deployed',
]

export function rollupOf(nodes: readonly GraphNode[], statusOf: (node: GraphNode) => NodeStatus): Rollup {
  const assets = nodes.filter(node => node.kind !== 'exposure')
  const statuses = new Set(assets.map(statusOf))
  const ages = new Set(assets.map(node => node.freshness))
  return {
    count: nodes.length,
    status: worstFirst.find(status => statuses.has(status)) ?? 'never',
    freshness: (['error', 'warn', 'ok'] as const).find(age => ages.has(age)) ?? null,
    tests: {
      total: assets.reduce((sum, node) => sum + node.tests.total, 0),
      failed: assets.reduce((sum, node) => sum + node.tests.failed, 0),
      warned: assets.reduce((sum, node) => sum + node.tests.warned, 0),
    },
  }
}
