/** Which nodes can be reached: `+x`, `x+`, so many steps up or down. A cycle is walked once. Pure. */
import type { GraphModel } from './model.ts'
export type Direction = 'up' | 'down'
type Neighbours = Pick<GraphModel, 'parents' | 'children'>
/** The starts and everything within `steps` of them. O(nodes + edges) of what is reached. */
export declare function closure(
  graph: Neighbours,
  starts: Iterable<number>,
  direction: Direction,
  steps?: number,
): Set<number>
/** Up and down from one node, never down again from what is above: the siblings of a node are not its lineage. */
export declare function lineageOf(graph: Neighbours, node: number, steps?: number): Set<number>
/** Nodes that are on a cycle, each cycle as one list; none in a valid project. */
export declare function cyclesOf({ parents, children }: Neighbours): number[][]
