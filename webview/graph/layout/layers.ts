/**
 * Gives every node a layer from left to right: each edge leads to a higher layer, except edges that close a
 * cycle. Nodes without parents move next to their first reader, so that edges stay short. O(nodes + edges),
 * deterministic.
 */
import type { LayoutGraph } from './layout-graph.ts'

export function layersOf({ parents, children }: LayoutGraph): number[] {
  const order = orderWithoutCycles(parents, children)
  const rank = new Array<number>(order.length)
  order.forEach((node, at) => {
    rank[node] = at
  })
  const isForward = (from: number, to: number) => (rank[from] ?? 0) < (rank[to] ?? 0)
  const layers = new Array<number>(order.length).fill(0)
  for (const node of order) {
    for (const parent of parents[node] ?? []) {
      if (isForward(parent, node)) layers[node] = Math.max(layers[node] ?? 0, (layers[parent] ?? 0) + 1)
    }
  }
  for (const node of order) {
    if ((parents[node] ?? []).length > 0) continue
    const readers = (children[node] ?? []).filter(child => isForward(node, child))
    if (readers.length > 0) layers[node] = Math.min(...readers.map(reader => layers[reader] ?? 0)) - 1
  }
  return layers
}

/** Returns parents first; in a cycle, the node that is visited first comes first. */
function orderWithoutCycles(
  parents: readonly (readonly number[])[],
  children: readonly (readonly number[])[],
): number[] {
  const open = parents.map(list => list.length)
  const done = new Array<boolean>(open.length).fill(false)
  const order: number[] = []
  const take = (node: number) => {
    if (done[node]) return
    done[node] = true
    order.push(node)
  }
  for (const node of open.keys()) if (open[node] === 0) take(node)
  for (let at = 0, stuck = 0; order.length < open.length || at < order.length; at++) {
    while (at === order.length && done[stuck]) stuck++
    if (at === order.length) take(stuck)
    for (const child of children[order[at] ?? 0] ?? []) {
      const left = (open[child] ?? 0) - 1
      open[child] = left
      if (left === 0) take(child)
    }
  }
  return order
}
