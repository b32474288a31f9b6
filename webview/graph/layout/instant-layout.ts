/**
 * A fast layout for graphs of any size: layers, a few sweeps that order each layer by its neighbours, then
 * positions as near to the neighbours as space allows. Layers that are too high are folded into several
 * columns, otherwise a thousand sources would be one line. Nothing overlaps, and the result is deterministic.
 * O(nodes log nodes + edges).
 */
import { cardWidth, columnGap, rowGap } from '../geometry.ts'
import { layersOf } from './layers.ts'
import { type Layout, type LayoutGraph, noWays, type Positions, type Ways } from './layout-graph.ts'
import { withPassages } from './passages.ts'
import { spread } from './spread.ts'

const sweeps = 4
/** The gap between the columns of one folded layer, where no edges run. */
const foldGap = 28

type Neighbours = Pick<LayoutGraph, 'parents' | 'children' | 'heights'>

export function instantLayout(graph: LayoutGraph): Layout {
  const { length } = graph.heights
  const layers = layersOf(graph)
  const most = Math.max(24, Math.ceil(Math.sqrt(length) * 1.5))
  const cards = columnsOf(layers)
  const isFolded = cards.some(column => column.length > most)
  const long = isFolded ? undefined : withPassages(graph, layers)
  const columns = long === undefined ? cards : columnsOf(long.layers)
  order(long ?? graph, columns)
  if (isFolded) return { positions: folded(graph, columns, most), ways: noWays }
  const y = new Float64Array((long ?? graph).heights.length)
  settle(long ?? graph, columns, y)
  const places = placed(columns, y)
  return {
    positions: places.slice(0, length),
    ways: long === undefined ? noWays : waysOf(long.chains, places),
  }
}

function waysOf(chains: ReadonlyMap<number, readonly number[]>, places: Positions): Ways {
  return new Map([...chains].map(([edge, chain]) => [edge, chain.flatMap(node => places[node] ?? [])]))
}

/** Returns the nodes of each layer, from left to right. */
function columnsOf(layers: readonly number[]): number[][] {
  const lowest = layers.reduce((least, layer) => Math.min(least, layer), 0)
  const columns: number[][] = []
  layers.forEach((layer, node) => {
    const column = columns[layer - lowest]
    if (column === undefined) columns[layer - lowest] = [node]
    else column.push(node)
  })
  return columns.filter(column => column !== undefined)
}

function order({ parents, children, heights }: Neighbours, columns: readonly number[][]): void {
  const slot = new Float64Array(heights.length)
  const wish = new Float64Array(heights.length)
  for (const column of columns) number(column, slot)
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const forward = sweep % 2 === 0
    for (const column of forward ? columns : columns.toReversed()) {
      byNeighbours(column, forward ? parents : children, slot, wish)
    }
  }
}

/** Slots are fractions of a layer, so that layers of different heights can be compared. */
function number(column: readonly number[], slot: Float64Array): void {
  column.forEach((node, at) => {
    slot[node] = (at + 0.5) / column.length
  })
}

function byNeighbours(
  column: number[],
  neighbours: readonly (readonly number[])[],
  slot: Float64Array,
  wish: Float64Array,
): void {
  for (const node of column) wish[node] = mean(neighbours[node] ?? [], slot) ?? slot[node] ?? 0
  // Nodes that want the same place keep their order.
  column.sort((a, b) => (wish[a] ?? 0) - (wish[b] ?? 0))
  number(column, slot)
}

function mean(nodes: readonly number[], values: Float64Array): number | undefined {
  if (nodes.length === 0) return undefined
  let sum = 0
  for (const node of nodes) sum += values[node] ?? 0
  return sum / nodes.length
}

/** Moves the middles of the cards towards their neighbours, alternating from the left and from the right. */
function settle(
  { parents, children, heights }: Neighbours,
  columns: readonly number[][],
  y: Float64Array,
): void {
  for (const column of columns) spread(column, heights, y, () => 0)
  for (let turn = 0; turn < sweeps; turn++) {
    const forward = turn % 2 === 0
    for (const column of forward ? columns : columns.toReversed()) {
      const near = forward ? parents : children
      const far = forward ? children : parents
      spread(
        column,
        heights,
        y,
        node => mean(near[node] ?? [], y) ?? mean(far[node] ?? [], y) ?? y[node] ?? 0,
      )
    }
  }
  for (const column of columns) for (const node of column) y[node] = (y[node] ?? 0) - (heights[node] ?? 0) / 2
}

function placed(columns: readonly number[][], y: Float64Array): Positions {
  const places = new Array<{ x: number; y: number }>(y.length)
  columns.forEach((column, layer) => {
    for (const node of column)
      places[node] = { x: layer * (cardWidth + columnGap), y: Math.round(y[node] ?? 0) }
  })
  return places
}

/** Fills the columns row by row, so that cards at the top of the order stay at the top. */
function folded({ heights }: Neighbours, columns: readonly number[][], most: number): Positions {
  const places = new Array<{ x: number; y: number }>(heights.length)
  const rowHeight = heights.reduce((highest, height) => Math.max(highest, height), 0) + rowGap
  let left = 0
  for (const column of columns) {
    const folds = Math.ceil(column.length / most)
    const rows = Math.ceil(column.length / folds)
    column.forEach((node, at) => {
      const row = Math.floor(at / folds) - rows / 2
      places[node] = { x: left + (at % folds) * (cardWidth + foldGap), y: Math.round(row * rowHeight) }
    })
    left += folds * (cardWidth + foldGap) - foldGap + columnGap + Math.min(160, folds * 8)
  }
  return places
}
