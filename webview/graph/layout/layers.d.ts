/**
 * Gives every node a layer from left to right: each edge goes to a higher one, edges that close a cycle excepted. Nodes
 * without parents move next to their first reader, so that edges stay short. O(nodes + edges), the same for the same graph.
 */
import type { LayoutGraph } from './layout-graph.ts'
export declare function layersOf({ parents, children }: LayoutGraph): number[]
