import type { LayoutGraph, Positions } from './layout-graph.ts'
export declare function instantLayout(graph: LayoutGraph): Positions
