/** Finds reachable nodes: `+x`, `x+`, a number of steps up or down. Cycles are walked once. Pure. */
import type { GraphModel } from './model.ts'

export type Direction = 'up' | 'down'

type Neighbours = Pick<GraphModel, 'parents' | 'children'>

/** Returns the starts and everything within `steps` of them. O(nodes + edges) of the result. */
export function closure(
  graph: Neighbours,
  starts: Iterable<number>,
  direction: Direction,
  steps = Number.POSITIVE_INFINITY,
): Set<number> {
  const next = direction === 'up' ? graph.parents : graph.children
  const seen = new Set(starts)
  let front = [...seen]
  for (let step = 0; step < steps && front.length > 0; step++) {
    const further: number[] = []
    for (const node of front) {
      for (const each of next[node] ?? []) {
        if (seen.has(each)) continue
        seen.add(each)
        further.push(each)
      }
    }
    front = further
  }
  return seen
}

/**
 * Walks up and down from one node, but never down again from its upstream, because siblings are not part of
 * its lineage.
 */
export function lineageOf(graph: Neighbours, node: number, steps = Number.POSITIVE_INFINITY): Set<number> {
  return new Set([...closure(graph, [node], 'up', steps), ...closure(graph, [node], 'down', steps)])
}

/** Returns the nodes on cycles, each cycle as one list; none in a valid project. */
export function cyclesOf({ parents, children }: Neighbours): number[][] {
  const left = new Set(children.keys())
  peel(left, parents, children)
  peel(left, children, parents)
  const cycles: number[][] = []
  while (left.size > 0) {
    const start = left.values().next().value ?? 0
    const above = closure({ parents, children }, [start], 'up')
    const mutual = [...closure({ parents, children }, [start], 'down')].filter(node => above.has(node))
    const isCycle = mutual.length > 1 || children[start]?.includes(start) === true
    if (isCycle) cycles.push(mutual.sort((a, b) => a - b))
    for (const node of mutual) left.delete(node)
  }
  return cycles
}

/** Repeatedly removes nodes without predecessors. */
function peel(
  left: Set<number>,
  before: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
): void {
  const open = new Int32Array(before.length)
  const ready: number[] = []
  for (const node of left) {
    for (const each of before[node] ?? []) if (left.has(each)) open[node] = (open[node] ?? 0) + 1
    if (open[node] === 0) ready.push(node)
  }
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    left.delete(node)
    for (const each of after[node] ?? []) {
      const count = (open[each] ?? 0) - 1
      open[each] = count
      if (count === 0 && left.has(each)) ready.push(each)
    }
  }
}
