/** What is on the canvas apart from the camera: cards with their places, edges, what is lit. Made when something changes. */
import type { ColumnPath } from '../protocol.ts'
import { type Box } from './geometry.ts'
import type { Positions } from './layout/layout-graph.ts'
import { type ColourRole, type Facts, type Lens } from './lens.ts'
import type { GraphModel, NodeStatus } from './model.ts'
import type { ShownNode, View } from './view.ts'
export type Shape = 'square' | 'round' | 'pill' | 'folder'
export interface Card extends Box {
  readonly id: string
  readonly shape: Shape
  readonly role: ColourRole
  readonly title: string
  readonly detail: string
  readonly mark:
    | {
        readonly glyph: string
        readonly role: ColourRole
      }
    | undefined
  readonly running: boolean
  /** Of the legend: its entry is switched off. */
  readonly off: boolean
  readonly hiddenUp: number
  readonly hiddenDown: number
  /** Names of the columns on the path of the chosen one. */
  readonly columns: readonly {
    readonly name: string
    readonly pii: boolean
  }[]
}
export interface Scene {
  readonly cards: readonly Card[]
  readonly edges: View['edges']
  readonly columnEdges: readonly ColumnEdge[]
  readonly selected: number | undefined
  readonly hovered: number | undefined
  /** undefined: nothing is lit, so nothing is dimmed. */
  readonly lit: ReadonlySet<number> | undefined
  /** Counted up when cards or edges move: what was made of them before is out of date. */
  readonly revision: number
}
export interface ColumnEdge {
  readonly from: {
    readonly card: number
    readonly row: number
  }
  readonly to: {
    readonly card: number
    readonly row: number
  }
}
export interface CardOptions {
  readonly lens: Lens
  readonly hidden: ReadonlySet<string>
  readonly live: ReadonlyMap<string, NodeStatus>
  readonly path: ColumnPath | null
}
export declare function heightsOf(view: View, path: ColumnPath | null): number[]
export declare function makeCards(
  model: GraphModel,
  view: View,
  positions: Positions,
  heights: readonly number[],
  options: CardOptions,
): Card[]
/** What a card says of itself; of a folder what is worst in it. */
export declare function factsOf(
  model: GraphModel,
  { node, members }: ShownNode,
  live: ReadonlyMap<string, NodeStatus>,
): Facts
/** Everything up and down of the selection; without one, hovering lights the direct neighbours. */
export declare function litOf(
  view: View,
  selected: number | undefined,
  hovered: number | undefined,
): Set<number> | undefined
/** Edges of the path whose two columns are both on shown cards. */
export declare function columnEdgesOf(view: View, path: ColumnPath | null): ColumnEdge[]
