/**
 * From what the page asks for to what is on the canvas: model, view, places, cards. Keeps places when only data changes,
 * keeps those of graphs that were shown before, and lets the selected card stay where it is on the screen. No DOM.
 */
import type { CatalogFile, ColumnPath } from '../protocol.ts'
import { cyclesOf } from './closure.ts'
import { type Filtered, filterOf, watchesRuns } from './filter.ts'
import type { Point } from './geometry.ts'
import { instantLayout } from './layout/instant-layout.ts'
import type { Layout, LayoutGraph, Positions, Ways } from './layout/layout-graph.ts'
import type { Lens } from './lens.ts'
import { type GraphModel, makeGraphModel, type NodeStatus } from './model.ts'
import { columnEdgesOf, heightsOf, litOf, makeCards, type Scene } from './scene.ts'
import { makeView, type Scope, type View } from './view.ts'

/** Everything that the graph is to show. The page owns it; the graph only asks for changes. */
export interface GraphInput {
  readonly catalog: CatalogFile
  /** The model of the catalogue, where the page has made it already; it is another one when something got too old meanwhile. */
  readonly model?: GraphModel | undefined
  /** Ids of nodes: an asset's name, `exposure:<name>`. */
  readonly selected: string | null
  /** The asset that the scope is drawn around; double-click and Space ask for another. */
  readonly focus: string | null
  readonly scope: Scope
  /** A selector or a part of a name. */
  readonly filter: string
  readonly expanded: readonly string[]
  readonly moved: Readonly<Record<string, readonly [number, number]>>
  readonly lens: Lens
  /** Entries of legends that are switched off: `kind:source`. */
  readonly hidden: ReadonlySet<string>
  /** The state of each asset in a run that goes on. */
  readonly live: ReadonlyMap<string, NodeStatus>
  readonly path: ColumnPath | null
}

export interface Stage {
  readonly input: GraphInput
  readonly model: GraphModel
  readonly view: View
  readonly scene: Scene
  readonly filtered: Filtered
  /** Positions in the model of nodes that read each other; none in a valid project. */
  readonly cycles: readonly (readonly number[])[]
  /** Says what is wrong with the filter. */
  readonly problem: string | undefined
  /** Names a layout: it stays equal while the places need not be computed anew. */
  readonly layoutKey: string
  readonly graph: LayoutGraph
}

export interface Places {
  get(key: string): Layout | undefined
  set(key: string, layout: Layout): void
}

/** The last graphs, each with its places. */
export function makePlaces(most = 24): Places {
  const kept = new Map<string, Layout>()
  return {
    get: key => kept.get(key),
    set(key, layout) {
      kept.delete(key)
      kept.set(key, layout)
      const oldest = kept.keys().next().value
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    },
  }
}

/** `before` shares what did not change. */
export function makeStage(
  input: GraphInput,
  places: Places,
  nowMs: number,
  hovered: string | undefined,
  before?: Stage,
): Stage {
  const isSameData =
    before !== undefined && before.input.catalog === input.catalog && before.input.model === input.model
  const model = input.model ?? (isSameData ? before.model : makeGraphModel(input.catalog, nowMs))
  const cycles = isSameData ? before.cycles : cyclesOf(model)
  const isSameFilter =
    isSameData &&
    before.input.filter === input.filter &&
    before.input.hidden === input.hidden &&
    (before.input.live === input.live || !watchesRuns(input.hidden))
  const filtered = isSameFilter
    ? before.filtered
    : filterOf(model, input.catalog, input.filter, input.hidden, input.live)
  const kept = 'problem' in filtered ? undefined : filtered.kept
  const isSameView =
    isSameFilter &&
    before.input.focus === input.focus &&
    before.input.scope === input.scope &&
    before.input.expanded === input.expanded
  const { scope, focus, expanded } = input
  const view = isSameView ? before.view : makeView(model, { scope, focus, expanded, kept })
  const heights = heightsOf(view, input.path)
  const layoutKey = `${view.topology} ${input.path === null ? '' : heights.join()}`
  const { edges, parents, children } = view
  const graph: LayoutGraph = { edges, parents, children, heights }
  let layout = places.get(layoutKey)
  if (layout === undefined) {
    layout = instantLayout(graph)
    places.set(layoutKey, layout)
  }
  const scene = makeScene(
    { input, model, view, graph, cycles },
    layout,
    hovered,
    (before?.scene.revision ?? 0) + 1,
  )
  const problem = 'problem' in filtered ? filtered.problem : undefined
  return { input, model, view, scene, filtered, cycles, problem, layoutKey, graph }
}

/** The same graph with other places: a better layout came, or one that is on its way there. */
export function withLayout(stage: Stage, layout: Layout, hovered: string | undefined): Stage {
  return { ...stage, scene: makeScene(stage, layout, hovered, stage.scene.revision + 1) }
}

function makeScene(
  { input, model, view, graph, cycles }: Pick<Stage, 'input' | 'model' | 'view' | 'graph' | 'cycles'>,
  { positions, ways }: Layout,
  hovered: string | undefined,
  revision: number,
): Scene {
  const placed = withMoved(view, positions, input.moved)
  const selectedIndex = shownIndex(model, view, input.selected)
  const hoveredIndex = hovered === undefined ? undefined : view.indexOf.get(hovered)
  return {
    cards: makeCards(model, view, placed, graph.heights, input),
    edges: view.edges,
    ways: withoutMoved(view, ways, input.moved),
    columnEdges: columnEdgesOf(view, input.path),
    cycles: cycles.map(
      nodes => new Set(nodes.flatMap(index => view.indexOf.get(model.nodes[index]?.id ?? '') ?? [])),
    ),
    selected: selectedIndex,
    hovered: hoveredIndex,
    lit: input.path === null ? litOf(view, selectedIndex, hoveredIndex) : onPath(view, input.path),
    revision,
  }
}

export function withHovered(stage: Stage, hovered: string | undefined): Stage {
  const { scene, view, input } = stage
  const index = hovered === undefined ? undefined : view.indexOf.get(hovered)
  const lit = input.path === null ? litOf(view, scene.selected, index) : scene.lit
  return { ...stage, scene: { ...scene, hovered: index, lit } }
}

/** The place in the view of an asset, or of the closed folder that it is in. */
function shownIndex(model: GraphModel, view: View, id: string | null): number | undefined {
  if (id === null) return undefined
  const index = view.indexOf.get(id)
  if (index !== undefined) return index
  const group = model.nodes[model.indexOf.get(id) ?? -1]?.group
  return group === undefined ? undefined : view.indexOf.get(`group:${group}`)
}

function onPath(view: View, path: ColumnPath): Set<number> {
  return new Set(path.columns.flatMap(({ asset }) => view.indexOf.get(asset) ?? []))
}

function withMoved(view: View, positions: Positions, moved: GraphInput['moved']): Positions {
  if (Object.keys(moved).length === 0) return positions
  return positions.map((place, index): Point => {
    const own = moved[view.nodes[index]?.id ?? '']
    return own === undefined ? place : { x: own[0], y: own[1] }
  })
}

/** To a card that was moved an edge goes straight. */
function withoutMoved(view: View, ways: Ways, moved: GraphInput['moved']): Ways {
  const isMoved = (node: number) => moved[view.nodes[node]?.id ?? ''] !== undefined
  if (ways.size === 0 || Object.keys(moved).length === 0) return ways
  return new Map(
    [...ways].filter(([index]) => {
      const edge = view.edges[index]
      return edge !== undefined && !isMoved(edge.from) && !isMoved(edge.to)
    }),
  )
}
