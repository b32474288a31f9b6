import { type GraphEdge, type GraphModel, type GraphNode } from './model.ts'
export type Scope = 'direct' | 'near' | 'connected' | 'all'
export interface ViewOptions {
  readonly scope: Scope
  /** What the scope is about; null: everything. */
  readonly focus: string | null
  /** `up:<id>`, `down:<id>` one step more on that side; `group:<name>` an open folder, `group:*` all of them. */
  readonly expanded: readonly string[]
  /** Only these, where a filter is set. */
  readonly kept: ReadonlySet<number> | undefined
}
export interface ShownNode {
  readonly id: string
  /** Positions in the model: one, or all of a folder. */
  readonly members: readonly number[]
  /** undefined: a folder. */
  readonly node: GraphNode | undefined
  readonly label: string
  /** Neighbours that are not shown. */
  readonly hiddenUp: number
  readonly hiddenDown: number
}
export interface View {
  readonly nodes: readonly ShownNode[]
  readonly edges: readonly GraphEdge[]
  readonly parents: readonly (readonly number[])[]
  readonly children: readonly (readonly number[])[]
  readonly indexOf: ReadonlyMap<string, number>
  readonly topology: string
}
/** More than this, and folders are closed until somebody opens them. */
export declare const mostUngrouped = 150
export declare function makeView(model: GraphModel, options: ViewOptions): View
