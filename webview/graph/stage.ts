/**
 * Turns the page's input into the content of the canvas: model, view, places, cards. Keeps places when only
 * data change and of graphs that were shown before, and keeps the selected card at its place on the screen.
 * No DOM.
 */
import type { CatalogFile, ColumnPath } from '../protocol.ts'
import { cyclesOf } from './closure.ts'
import { type Filtered, filterOf, watchesRuns } from './filter.ts'
import type { Point } from './geometry.ts'
import { instantLayout } from './layout/instant-layout.ts'
import type { Layout, LayoutGraph, Positions, Ways } from './layout/layout-graph.ts'
import type { Lens } from './lens.ts'
import { type Lit, litLineage, litNeighbours } from './lit.ts'
import { type GraphModel, makeGraphModel, type NodeStatus } from './model.ts'
import { columnEdgesOf, heightsOf, makeCards, type Scene } from './scene.ts'
import { makeView, type Scope, type View } from './view.ts'

/** Everything that the graph shows. The page owns it; the graph only requests changes. */
export interface GraphInput {
  readonly catalog: CatalogFile
  /** The model of the catalogue, if the page has made it already; it is replaced when ages pass a limit. */
  readonly model?: GraphModel | undefined
  /** The id of a node: an asset's name, or `exposure:<name>`. */
  readonly selected: string | null
  /** The asset around which the scope is drawn; double-click and Space request another one. */
  readonly focus: string | null
  readonly scope: Scope
  /** A selector or a part of a name. */
  readonly filter: string
  /** The assets whose files differ from what is live. */
  readonly changed?: ReadonlySet<string>
  readonly expanded: readonly string[]
  readonly moved: Readonly<Record<string, readonly [number, number]>>
  readonly lens: Lens
  /** The legend entries that are switched off: `kind:source`. */
  readonly hidden: ReadonlySet<string>
  /** The state of each asset in a running run. */
  readonly live: ReadonlyMap<string, NodeStatus>
  readonly path: ColumnPath | null
  /** Whether all assets on the path are shown, and no others. */
  readonly wholePath?: boolean
}

export interface Stage {
  readonly input: GraphInput
  readonly model: GraphModel
  readonly view: View
  readonly scene: Scene
  readonly filtered: Filtered
  /** The positions in the model of nodes that read each other; none in a valid project. */
  readonly cycles: readonly (readonly number[])[]
  /** The error of an invalid filter. */
  readonly problem: string | undefined
  /** Identifies a layout: it stays equal while the places need not be computed again. */
  readonly layoutKey: string
  readonly graph: LayoutGraph
}

export interface Places {
  get(key: string): Layout | undefined
  set(key: string, layout: Layout): void
}

/** Keeps the places of the last graphs. */
export function makePlaces(): Places {
  const most = 24
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

/** Shares unchanged parts with `before`. */
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
    before.input.changed === input.changed &&
    (before.input.live === input.live || !watchesRuns(input.hidden))
  const filtered = isSameFilter
    ? before.filtered
    : filterOf(model, input.catalog, { text: input.filter, ...input })
  const kept = 'problem' in filtered ? undefined : filtered.kept
  const isSameView =
    isSameFilter &&
    before.input.focus === input.focus &&
    before.input.scope === input.scope &&
    before.input.expanded === input.expanded &&
    before.input.wholePath === input.wholePath &&
    (input.wholePath !== true || before.input.path === input.path)
  const { scope, focus, expanded } = input
  const only = input.wholePath === true ? assetsOn(model, input.path) : undefined
  const view = isSameView ? before.view : makeView(model, { scope, focus, expanded, kept, only })
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

function assetsOn(model: GraphModel, path: ColumnPath | null): ReadonlySet<number> | undefined {
  return path === null
    ? undefined
    : new Set(path.columns.flatMap(({ asset }) => model.indexOf.get(asset) ?? []))
}

/** Returns the same graph with other places, from a better layout or during its animation. */
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
    lit: litOf(input, model, view, hoveredIndex),
    revision,
  }
}

export function withHovered(stage: Stage, hovered: string | undefined): Stage {
  const { scene, view, input, model } = stage
  const index = hovered === undefined ? undefined : view.indexOf.get(hovered)
  const isByHover = input.path === null && input.selected === null
  const lit = isByHover ? litOf(input, model, view, index) : scene.lit
  return { ...stage, scene: { ...scene, hovered: index, lit } }
}

/** Returns the position in the view of an asset, or of the closed folder that contains it. */
function shownIndex(model: GraphModel, view: View, id: string | null): number | undefined {
  if (id === null) return undefined
  const index = view.indexOf.get(id)
  if (index !== undefined) return index
  const group = model.nodes[model.indexOf.get(id) ?? -1]?.group
  return group === undefined ? undefined : view.indexOf.get(`group:${group}`)
}

/** A column's path comes first, then the lineage of the selection, then the neighbours of the hovered card. */
function litOf(
  { path, selected }: GraphInput,
  model: GraphModel,
  view: View,
  hovered: number | undefined,
): Lit | undefined {
  if (path !== null) return onPath(model, view, path)
  const asset = selected === null ? undefined : model.indexOf.get(selected)
  if (asset !== undefined && shownIndex(model, view, selected) !== undefined)
    return litLineage(model, view, asset)
  return hovered === undefined ? undefined : litNeighbours(view, hovered)
}

function onPath(model: GraphModel, view: View, path: ColumnPath): Lit {
  const cards = new Set(path.columns.flatMap(({ asset }) => shownIndex(model, view, asset) ?? []))
  return { cards, edges: new Set() }
}

function withMoved(view: View, positions: Positions, moved: GraphInput['moved']): Positions {
  if (Object.keys(moved).length === 0) return positions
  return positions.map((place, index): Point => {
    const own = moved[view.nodes[index]?.id ?? '']
    return own === undefined ? place : { x: own[0], y: own[1] }
  })
}

/** An edge to a card that the user moved is drawn straight. */
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
