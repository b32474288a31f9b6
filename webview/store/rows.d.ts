/** The assets as rows: for the navigator (by folder) and for the table (sorted). Pure. */
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
export declare function tableRows(
  model: GraphModel,
  kept: ReadonlySet<number> | undefined,
  sort: Sort,
): readonly TableRow[]
export type TreeRow =
  | {
      readonly type: 'group'
      readonly name: string
      readonly count: number
      readonly failed: number
      readonly open: boolean
    }
  | {
      readonly type: 'node'
      readonly node: GraphNode
      readonly position: number
      readonly of: number
    }
/** Folders in the order of the pipeline: sources first, exposures last, others by name. */
export declare function treeRows(
  model: GraphModel,
  kept: ReadonlySet<number> | undefined,
  closed: ReadonlySet<string>,
): readonly TreeRow[]
/** The next row whose name begins with what is typed, from `from` on and around; -1: none. */
export declare function typeAhead(rows: readonly TreeRow[], from: number, typed: string): number
