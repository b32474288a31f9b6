/**
 * Turns the page's input into the content of the canvas: model, view, places, cards. Keeps places when only
 * data change and of graphs that were shown before, and keeps the selected card at its place on the screen.
 * No DOM.
 */
import type { ColumnPath } from '../protocol.ts'
import { cyclesOf } from './closure.ts'
import { drawnPath } from './drawn-path.ts'
import type { Point } from './geometry.ts'
import { instantLayout } from './layout/instant-layout.ts'
import type { Layout, LayoutGraph, Positions, Ways } from './layout/layout-graph.ts'
import type { Lens } from './lens.ts'
import { type Lit, litLineage, litNeighbours } from './lit.ts'
import type { GraphModel, NodeStatus } from './model.ts'
import { columnEdgesOf, heightsOf, makeCards, type Scene } from './scene.ts'
import { makeView, type Scope, type View } from './view.ts'

/** Everything that the graph shows. The page owns it; the graph only requests changes. */
export interface GraphInput {
  /** Another one when the catalogue changes, and when ages pass a limit. */
  readonly model: GraphModel
  /** The positions in the model that filter and legend leave; undefined if they leave all. */
  readonly kept: ReadonlySet<number> | undefined
  /** The id of a node: an asset's name, or `exposure:<name>`. */
  readonly selected: string | null
  /** The asset around which the scope is drawn; double-click and Space request another one. */
  readonly focus: string | null
  readonly scope: Scope
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
  readonly view: View
  readonly scene: Scene
  /** The positions in the model of nodes that read each other; none in a valid project. */
  readonly cycles: readonly (readonly number[])[]
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
  hovered: string | undefined,
  before?: Stage,
): Stage {
  const { model, scope, focus, expanded, kept } = input
  const isSameModel = before?.input.model === model
  const cycles = isSameModel ? before.cycles : cyclesOf(model)
  const isSameView =
    isSameModel &&
    before.input.kept === kept &&
    before.input.focus === focus &&
    before.input.scope === scope &&
    before.input.expanded === expanded &&
    before.input.wholePath === input.wholePath &&
    (input.wholePath !== true || before.input.path === input.path)
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
  const scene = makeScene({ input, view, graph, cycles }, layout, hovered, (before?.scene.revision ?? 0) + 1)
  return { input, view, scene, cycles, layoutKey, graph }
}

function assetsOn(model: GraphModel, path: ColumnPath | null): ReadonlySet<number> | undefined {
  return path === null
    ? undefined
    : new Set([...drawnPath(path).cards].flatMap(id => model.indexOf.get(id) ?? []))
}

/** Returns the same graph with other places, from a better layout or during its animation. */
export function withLayout(stage: Stage, layout: Layout, hovered: string | undefined): Stage {
  return { ...stage, scene: makeScene(stage, layout, hovered, stage.scene.revision + 1) }
}

function makeScene(
  { input, view, graph, cycles }: Pick<Stage, 'input' | 'view' | 'graph' | 'cycles'>,
  { positions, ways }: Layout,
  hovered: string | undefined,
  revision: number,
): Scene {
  const { model } = input
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
    lit: litOf(input, view, hoveredIndex),
    revision,
  }
}

export function withHovered(stage: Stage, hovered: string | undefined): Stage {
  const { scene, view, input } = stage
  const index = hovered === undefined ? undefined : view.indexOf.get(hovered)
  const isByHover = input.path === null && input.selected === null
  const lit = isByHover ? litOf(input, view, index) : scene.lit
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
  { model, path, selected }: GraphInput,
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
  const { cards, links } = drawnPath(path)
  const indexOf = (id: string) => shownIndex(model, view, id)
  const linked = new Set(links.map(({ from, to }) => `${indexOf(from)} ${indexOf(to)}`))
  return {
    cards: new Set([...cards].flatMap(id => indexOf(id) ?? [])),
    edges: new Set(view.edges.flatMap(({ from, to }, index) => (linked.has(`${from} ${to}`) ? [index] : []))),
  }
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
