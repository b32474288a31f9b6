/** What a folder says of the assets in it: the worst of each. Pure. */
import type { GraphNode, NodeStatus } from './model.ts'
export interface Rollup {
  readonly count: number
  readonly status: NodeStatus
  readonly freshness: GraphNode['freshness']
  readonly tests: GraphNode['tests']
}
export declare function rollupOf(
  nodes: readonly GraphNode[],
  statusOf: (node: GraphNode) => NodeStatus,
): Rollup
