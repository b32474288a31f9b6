/**
 * A fast layout for graphs of any size: layers, a few sweeps that order each layer by its neighbours, then
 * positions as near to the neighbours as space allows. Layers that are too high are folded into several
 * columns, otherwise a thousand sources would be one line. Nothing overlaps, and the result is deterministic.
 * O(nodes log nodes + edges).
 */
import { cardWidth, columnGap, rowGap } from '../geometry.ts'
import { grouped } from '../grouped.ts'
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
  const isFolded = highest(layers) > most
  const long = isFolded ? undefined : withPassages(graph, layers)
  const columns = orderedLayers(long ?? graph, long?.layers ?? layers)
  if (isFolded) return { positions: folded(graph, columns, most), ways: noWays }
  const y = new Array<number>((long ?? graph).heights.length).fill(0)
  settle(long ?? graph, columns, y)
  const places = placed(columns, y)
  return {
    positions: places.slice(0, length),
    ways: long === undefined ? noWays : waysOf(long.chains, places),
  }
}

/** Returns the number of cards in the fullest layer. */
function highest(layers: readonly number[]): number {
  return Math.max(0, ...[...grouped(layers, layer => layer).values()].map(({ length }) => length))
}

function waysOf(chains: ReadonlyMap<number, readonly number[]>, places: Positions): Ways {
  return new Map([...chains].map(([edge, chain]) => [edge, chain.flatMap(node => places[node] ?? [])]))
}

function orderedLayers(graph: Neighbours, layers: readonly number[]): number[][] {
  const filled = [...grouped(layers.keys(), node => layers[node] ?? 0)]
    .sort(([a], [b]) => a - b)
    .map(([, column]) => column)
  const slot = new Array<number>(layers.length).fill(0)
  for (const column of filled) number(column, slot)
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const forward = sweep % 2 === 0
    for (const column of forward ? filled : filled.toReversed()) {
      byNeighbours(column, forward ? graph.parents : graph.children, slot)
    }
  }
  return filled
}

/** Slots are fractions of a layer, so that layers of different heights can be compared. */
function number(column: readonly number[], slot: number[]): void {
  column.forEach((node, at) => {
    slot[node] = (at + 0.5) / column.length
  })
}

function byNeighbours(column: number[], neighbours: readonly (readonly number[])[], slot: number[]): void {
  const wish = new Map(column.map(node => [node, mean(neighbours[node] ?? [], slot) ?? slot[node] ?? 0]))
  column.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || (slot[a] ?? 0) - (slot[b] ?? 0))
  number(column, slot)
}

function mean(nodes: readonly number[], values: readonly number[]): number | undefined {
  if (nodes.length === 0) return undefined
  let sum = 0
  for (const node of nodes) sum += values[node] ?? 0
  return sum / nodes.length
}

/** Moves the middles of the cards towards their neighbours, alternating from the left and from the right. */
function settle({ parents, children, heights }: Neighbours, columns: readonly number[][], y: number[]): void {
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

function placed(columns: readonly number[][], y: readonly number[]): Positions {
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
