/** Answers what reads what: parents, children, an order of building, cycles. Iterative: a chain may be as long as it likes. */
import type { Asset } from './project.ts'

export interface Graph {
  parents(name: string): readonly string[]
  children(name: string): readonly string[]
  readonly order: readonly string[]
  readonly cycles: readonly (readonly string[])[]
  /** What the rest is made of; for `rewiredGraph` alone. */
  readonly edges: { readonly names: readonly string[]; readonly parents: Edges; readonly children: Edges }
}

type Edges = ReadonlyMap<string, readonly string[]>

const none: readonly string[] = []

/** Names that `asset`'s transform reads, each once, sorted. They need not exist. */
export function namesRead(asset: Asset): readonly string[] {
  const names: string[] = []
  // Most assets read one or two others, for which a set would be more work than looking.
  for (const { from, name } of asset.refs) if (from === 'transform' && !names.includes(name)) names.push(name)
  return names.length < 2 ? names : names.sort()
}

export function buildGraph(byName: ReadonlyMap<string, Asset>): Graph {
  const names = [...byName.keys()].sort()
  const parents = new Map<string, readonly string[]>()
  const children = new Map<string, string[]>()
  for (const name of names) {
    const read = existingReads(byName, name)
    parents.set(name, read)
    for (const parent of read) {
      const list = children.get(parent)
      if (list === undefined) children.set(parent, [name])
      else list.push(name)
    }
  }
  return graphOf(names, parents, children)
}

/** The graph when only `name` reads other assets than before; the names themselves are as they were. */
export function rewiredGraph(graph: Graph, byName: ReadonlyMap<string, Asset>, name: string): Graph {
  const { names, parents: before, children: childrenBefore } = graph.edges
  const read = existingReads(byName, name)
  const children = new Map(childrenBefore)
  for (const parent of before.get(name) ?? none) {
    const rest = (children.get(parent) ?? none).filter(each => each !== name)
    if (rest.length === 0) children.delete(parent)
    else children.set(parent, rest)
  }
  for (const parent of read) children.set(parent, [...(children.get(parent) ?? none), name].sort())
  return graphOf(names, new Map(before).set(name, read), children)
}

function existingReads(byName: ReadonlyMap<string, Asset>, name: string): readonly string[] {
  const asset = byName.get(name)
  return asset === undefined ? none : namesRead(asset).filter(each => byName.has(each))
}

/** Order and cycles are worked out when they are asked for. */
function graphOf(names: readonly string[], parents: Edges, children: Edges): Graph {
  let ordered: { order: readonly string[]; cycles: readonly (readonly string[])[] } | undefined
  const sorted = () => {
    ordered ??= orderOf(names, parents, children)
    return ordered
  }
  return {
    edges: { names, parents, children },
    parents: name => parents.get(name) ?? none,
    children: name => children.get(name) ?? none,
    get order() {
      return sorted().order
    },
    get cycles() {
      return sorted().cycles
    },
  }
}

function orderOf(names: readonly string[], parents: Edges, children: Edges) {
  const order = withoutCycles(names, parents, children, new Set())
  if (order.length === names.length) return { order, cycles: [] }
  // What is left is in a cycle or behind one; the members come first among these, so that parents precede children.
  const placed = new Set(order)
  const rest = names.filter(name => !placed.has(name))
  const knots = stronglyConnected(rest, children)
  const members = new Set(knots.flat())
  const behind = withoutCycles(
    rest.filter(name => !members.has(name)),
    parents,
    children,
    new Set([...placed, ...members]),
  )
  const cycles = knots.flatMap(knot => cyclesOf(knot, children))
  return { order: [...order, ...rest.filter(name => members.has(name)), ...behind], cycles }
}

/** Parents before children, in name order where nothing else decides; stops where only cycles are left. */
function withoutCycles(
  names: readonly string[],
  parents: Edges,
  children: Edges,
  done: ReadonlySet<string>,
): string[] {
  const waiting = new Map(
    names.map(name => [name, (parents.get(name) ?? none).filter(each => !done.has(each)).length]),
  )
  const order = names.filter(name => waiting.get(name) === 0)
  for (let next = 0; next < order.length; next++) {
    for (const child of children.get(order[next] ?? '') ?? none) {
      const left = waiting.get(child)
      if (left === undefined) continue
      waiting.set(child, left - 1)
      if (left === 1) order.push(child)
    }
  }
  return order
}

/** Groups of names that all reach each other (Tarjan), each sorted; single names only where they read themselves. */
function stronglyConnected(names: readonly string[], children: Edges): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const onStack = new Set<string>()
  const stack: string[] = []
  const groups: string[][] = []
  const among = new Set(names)
  const open = (name: string) => {
    index.set(name, index.size)
    low.set(name, index.get(name) ?? 0)
    stack.push(name)
    onStack.add(name)
    return { name, next: 0 }
  }
  const close = (name: string) => {
    if (low.get(name) !== index.get(name)) return
    const group: string[] = []
    let member: string | undefined
    do {
      member = stack.pop()
      if (member === undefined) break
      onStack.delete(member)
      group.push(member)
    } while (member !== name)
    const isKnot = group.length > 1 || (children.get(name) ?? none).includes(name)
    if (isKnot) groups.push(group.sort())
  }
  const lower = (name: string, to: number | undefined) =>
    low.set(name, Math.min(low.get(name) ?? 0, to ?? Number.POSITIVE_INFINITY))

  for (const start of names) {
    if (index.has(start)) continue
    const path = [open(start)]
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const child = (children.get(frame.name) ?? none)[frame.next++]
      if (child === undefined) {
        path.pop()
        close(frame.name)
        const above = path.at(-1)
        if (above !== undefined) lower(above.name, low.get(frame.name))
      } else if (among.has(child) && !index.has(child)) path.push(open(child))
      else if (onStack.has(child)) lower(frame.name, index.get(child))
    }
  }
  return groups.sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
}

/** Shortest cycles through the members of a knot, until each member is in one. */
function cyclesOf(knot: readonly string[], children: Edges): string[][] {
  const members = new Set(knot)
  const covered = new Set<string>()
  const cycles: string[][] = []
  for (const member of knot) {
    if (covered.has(member)) continue
    const cycle = shortestCycle(member, members, children)
    for (const name of cycle) covered.add(name)
    cycles.push(cycle)
  }
  return cycles
}

/** In the direction of reading: each name reads the one behind it. */
function shortestCycle(start: string, members: ReadonlySet<string>, children: Edges): string[] {
  const from = new Map<string, string>()
  const queue = [start]
  for (let next = 0; next < queue.length; next++) {
    const name = queue[next] ?? start
    for (const child of children.get(name) ?? none) {
      if (child === start) return wayBack(start, name, from)
      if (!members.has(child) || from.has(child)) continue
      from.set(child, name)
      queue.push(child)
    }
  }
  return [start, start]
}

function wayBack(start: string, last: string, from: ReadonlyMap<string, string>): string[] {
  const way = [start]
  for (let name: string | undefined = last; name !== undefined && name !== start; name = from.get(name))
    way.push(name)
  return [...way, start]
}
