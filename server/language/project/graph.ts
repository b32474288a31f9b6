/**
 * The graph of which asset reads which: parents, children, build order, cycles. It is iterative, so chains
 * may be of any length.
 */
import { getOrInsertComputed } from '../get-or-insert.ts'
import { patched } from './patched-map.ts'
import type { Asset, Ref } from './project.ts'
import { storedFacts } from './stored-asset.ts'

export interface Graph {
  parents(name: string): readonly string[]
  children(name: string): readonly string[]
  readonly order: readonly string[]
  /** The same array in all graphs that are known to have no cycles. */
  readonly cycles: readonly (readonly string[])[]
  /** The parts that the rest is computed from, for `rewiredGraph` alone. */
  readonly parts: Parts
}

interface Parts {
  /** All names, sorted. */
  readonly names: readonly string[]
  readonly parents: Edges
  /** The readers of each name, sorted, also of names without an asset. */
  readonly readers: Edges
  /** Returns undefined while it has not been computed. */
  readonly hasCycles: () => boolean | undefined
}

type Edges = ReadonlyMap<string, readonly string[]>
type ByName = ReadonlyMap<string, Asset>

const none: readonly string[] = []
const noCycles: readonly (readonly string[])[] = []

/** Returns the names that the transform and the source of `asset` read, unique and sorted. They need not exist. */
export function namesRead(asset: Asset): readonly string[] {
  const names: string[] = []
  const add = (name: string, from: Ref['from']): void => {
    // Most assets read one or two others, for which a search is cheaper than a set.
    if (from !== 'test' && !names.includes(name)) names.push(name)
  }
  const facts = storedFacts(asset)
  if (facts === undefined) for (const { name, from } of asset.refs) add(name, from)
  else for (const [name, from] of facts.refs ?? []) add(name, from)
  return names.length < 2 ? names : names.sort()
}

export function buildGraph(byName: ByName): Graph {
  const names = [...byName.keys()].sort()
  const parents = new Map<string, readonly string[]>()
  const readers = new Map<string, string[]>()
  for (const name of names) {
    const read = readsOf(byName, name)
    parents.set(name, existing(read, byName))
    for (const parent of read) getOrInsertComputed(readers, parent, () => []).push(name)
  }
  return graphOf(names, parents, readers, undefined)
}

/** Updates the graph if only the assets named in `changed` were changed, added or removed. */
export function rewiredGraph(graph: Graph, before: ByName, after: ByName, changed: readonly string[]): Graph {
  const { names, parents, readers, hasCycles } = graph.parts
  let nextReaders = readers
  const rewired = new Set(changed)
  for (const name of changed) {
    nextReaders = withReader(nextReaders, name, readsOf(before, name), readsOf(after, name))
    if (before.has(name) !== after.has(name)) for (const each of readers.get(name) ?? none) rewired.add(each)
  }
  let nextParents = parents
  const added: (readonly [name: string, parents: readonly string[]])[] = []
  for (const name of rewired) {
    const known = parents.get(name) ?? none
    const read = after.has(name) ? existing(readsOf(after, name), after) : undefined
    nextParents = patched(nextParents, name, read)
    added.push([name, (read ?? none).filter(parent => !known.includes(parent))])
  }
  // Removing a ref can end a cycle but not create one, so only new refs are followed.
  const isSound = hasCycles() === false && !added.some(each => closesCycle(each, nextReaders, after))
  return graphOf(
    namesWith(names, before, after, changed),
    nextParents,
    nextReaders,
    isSound ? false : undefined,
  )
}

function readsOf(byName: ByName, name: string): readonly string[] {
  const asset = byName.get(name)
  return asset === undefined ? none : namesRead(asset)
}

function existing(names: readonly string[], byName: ByName): readonly string[] {
  return names.every(name => byName.has(name)) ? names : names.filter(name => byName.has(name))
}

function withReader(
  readers: Edges,
  name: string,
  before: readonly string[],
  after: readonly string[],
): Edges {
  let next = readers
  for (const parent of before) {
    if (after.includes(parent)) continue
    const rest = (next.get(parent) ?? none).filter(each => each !== name)
    next = patched(next, parent, rest.length === 0 ? undefined : rest)
  }
  for (const parent of after) {
    if (!before.includes(parent)) next = patched(next, parent, [...(next.get(parent) ?? none), name].sort())
  }
  return next
}

function namesWith(
  names: readonly string[],
  before: ByName,
  after: ByName,
  changed: readonly string[],
): readonly string[] {
  const gone = changed.filter(name => before.has(name) && !after.has(name))
  const come = changed.filter(name => !before.has(name) && after.has(name))
  if (gone.length + come.length === 0) return names
  const rest = gone.length === 0 ? names : names.filter(name => !gone.includes(name))
  return come.length === 0 ? rest : [...rest, ...come].sort()
}

/** Returns whether one of the new parents depends on `name`. */
function closesCycle(
  [name, parents]: readonly [string, readonly string[]],
  readers: Edges,
  byName: ByName,
): boolean {
  if (parents.length === 0) return false
  const wanted = new Set(parents)
  const seen = new Set<string>()
  const waiting = [name]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (wanted.has(next)) return true
    if (seen.has(next) || !byName.has(next)) continue
    seen.add(next)
    waiting.push(...(readers.get(next) ?? none))
  }
  return false
}

/**
 * Makes a graph. Order and cycles are computed on demand. `hasCycles` is false if it is known that there are
 * none.
 */
function graphOf(
  names: readonly string[],
  parents: Edges,
  readers: Edges,
  hasCycles: false | undefined,
): Graph {
  let ordered: { order: readonly string[]; cycles: readonly (readonly string[])[] } | undefined
  const sorted = () => {
    ordered ??= orderOf(names, parents, readers)
    return ordered
  }
  return {
    parts: {
      names,
      parents,
      readers,
      hasCycles: () => (ordered === undefined ? hasCycles : ordered.cycles.length > 0),
    },
    parents: name => parents.get(name) ?? none,
    children: name => (parents.has(name) ? (readers.get(name) ?? none) : none),
    get order() {
      return sorted().order
    },
    get cycles() {
      return hasCycles === false ? noCycles : sorted().cycles
    },
  }
}

function orderOf(names: readonly string[], parents: Edges, children: Edges) {
  const order = withoutCycles(names, parents, children, new Set())
  if (order.length === names.length) return { order, cycles: noCycles }
  // The rest is in a cycle or depends on one; members of cycles come first, so that parents precede children.
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

/** Returns parents before children, otherwise in name order; it stops where only cycles are left. */
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

/**
 * Returns the strongly connected groups of names (Tarjan), each sorted; single names only if they read
 * themselves.
 */
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

/** Returns shortest cycles through the members of a group until each member is in one. */
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

/** Returns the cycle in the direction of reading: each name reads the next one. */
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
