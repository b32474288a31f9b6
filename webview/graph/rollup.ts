/** Summarizes the assets of a folder: the worst state of each kind. Pure. */
import type { Facts } from './lens.ts'
import type { GraphNode, NodeStatus } from './model.ts'

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

export function rollupOf(nodes: readonly GraphNode[], statusOf: (node: GraphNode) => NodeStatus): Facts {
  const assets = nodes.filter(node => node.asset !== undefined)
  const statuses = new Set(assets.map(statusOf))
  const ages = new Set(assets.map(node => node.freshness))
  const sum = (count: (node: GraphNode) => number) => assets.reduce((all, node) => all + count(node), 0)
  return {
    kind: nodes[0]?.kind ?? 'model',
    status: worstFirst.find(status => statuses.has(status)) ?? 'never',
    freshness: (['error', 'warn', 'ok'] as const).find(age => ages.has(age)) ?? null,
    tests: {
      total: sum(node => node.tests.total),
      failed: sum(node => node.tests.failed),
      warned: sum(node => node.tests.warned),
    },
    warned: sum(node => node.warned),
    gone: assets.some(node => node.gone),
    problems: { errors: sum(node => node.problems.errors), warnings: sum(node => node.problems.warnings) },
  }
}
