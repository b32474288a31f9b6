import type { LayoutGraph, Positions } from './layout-graph.ts'
/** What of a `Worker` is used. */
export interface LayoutWorker {
  postMessage(message: unknown): void
  terminate(): void
  onmessage: ((event: { data: unknown }) => void) | null
  onerror: ((event: unknown) => void) | null
}
export interface ElkLayout {
  /** undefined: too large, too slow, failed or overtaken by a newer question; the instant layout stays. */
  layout(graph: LayoutGraph): Promise<Positions | undefined>
  dispose(): void
}
export type Effort = 'best' | 'fast'
/** Density hurts more than size: a few hundred nodes with thousands of edges take minutes. */
export declare function effortFor(nodes: number, edges: number): Effort | undefined
/** `start` makes a worker that runs elkjs; it is asked again after one was ended. */
export declare function makeElkLayout(start: () => Promise<LayoutWorker>, waitMs?: number): ElkLayout
/** Its layers are up to 30,000 units apart, because it leaves room for the bends of edges: ours are next to each other. */
export declare function respaced(answer: unknown, count: number): Positions | undefined
