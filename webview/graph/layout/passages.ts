/**
 * Reserves space for edges that pass columns: in each column the edge gets a passage, a node without a card,
 * which is laid out among the cards. Pure; O(nodes + edges + passages).
 */
import { neighbours } from '../model.ts'
import type { LayoutGraph } from './layout-graph.ts'

/** Negative, so that a passage is closer to its neighbours than a card is. */
const passageHeight = -12

/**
 * Returns undefined if passages would take most of the picture, because too many edges pass columns.
 * `chains`: by position of the edge: its passages from left to right.
 */
export function withPassages(graph: LayoutGraph, layers: readonly number[]) {
  const { edges } = graph
  const spans = edges.map(({ from, to }) => Math.max(0, (layers[to] ?? 0) - (layers[from] ?? 0) - 1))
  const count = spans.reduce((sum, span) => sum + span, 0)
  if (count > graph.heights.length + 200) return undefined
  const heights = [...graph.heights]
  const all = [...layers]
  const chains = new Map<number, readonly number[]>()
  const links = edges.flatMap(({ from, to }, index) => {
    const chain = Array.from({ length: spans[index] ?? 0 }, (_, step) => {
      all.push((layers[from] ?? 0) + step + 1)
      return heights.push(passageHeight) - 1
    })
    if (chain.length > 0) chains.set(index, chain)
    const way = [from, ...chain, to]
    return way.slice(1).map((next, at) => ({ from: way[at] ?? 0, to: next }))
  })
  return { ...neighbours(heights.length, links), heights, layers: all, chains }
}
