/**
 * From what the page asks for to what is on the canvas: model, view, places, cards. Keeps places when only data changes,
 * keeps those of graphs that were shown before, and lets the selected card stay where it is on the screen. No DOM.
 */
import type { CatalogFile, ColumnPath } from '../protocol.ts'
import type { LayoutGraph, Positions } from './layout/layout-graph.ts'
import type { Lens } from './lens.ts'
import { type GraphModel, type NodeStatus } from './model.ts'
import { type Scene } from './scene.ts'
import { type Scope, type View } from './view.ts'
/** What the graph is to show. The page owns it; the graph only asks for changes. */
export interface GraphInput {
  readonly catalog: CatalogFile
  /** Ids of nodes: an asset's name, `exposure:<name>`. */
  readonly selected: string | null
  /** What the scope is about: double-click and Space ask for another. */
  readonly focus: string | null
  readonly scope: Scope
  /** A selector or a part of a name. */
  readonly filter: string
  readonly expanded: readonly string[]
  readonly moved: Readonly<Record<string, readonly [number, number]>>
  readonly lens: Lens
  /** Keys of the legend's entries that are switched off. */
  readonly hidden: ReadonlySet<string>
  /** What a run that goes on says of its assets. */
  readonly live: ReadonlyMap<string, NodeStatus>
  readonly path: ColumnPath | null
}
export interface Stage {
  readonly input: GraphInput
  readonly model: GraphModel
  readonly view: View
  readonly scene: Scene
  /** What is wrong with the filter. */
  readonly problem: string | undefined
  /** Of places: equal while they need not be computed anew. */
  readonly layoutKey: string
  readonly graph: LayoutGraph
}
export interface Places {
  get(key: string): Positions | undefined
  set(key: string, positions: Positions): void
}
/** The last graphs, each with its places. */
export declare function makePlaces(most?: number): Places
/** `before` shares what did not change. */
export declare function makeStage(
  input: GraphInput,
  places: Places,
  nowMs: number,
  hovered: string | undefined,
  before?: Stage,
): Stage
/** The same graph with other places: a better layout came, or one that is on its way there. */
export declare function withPositions(stage: Stage, positions: Positions, hovered: string | undefined): Stage
export declare function withHovered(stage: Stage, hovered: string | undefined): Stage
