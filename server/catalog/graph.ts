/**
 * The graph of which asset reads which, kept from snapshot to snapshot, with the order in which assets are
 * bound.
 */
import { addTo } from './sets-by-key.ts'

export type Graph = ReturnType<typeof newGraph>

export const inCycle = Number.MAX_SAFE_INTEGER

export function newGraph() {
  const parents = new Map<string, readonly string[]>()
  /** Built on demand: a graph that is filled at start-up often never needs it. */
  let known: Children | undefined
  let levels = new Map<string, number>()
  /** Names whose parents have changed since the levels were last updated. */
  const changed = new Set<string>()

  const children = (): Children => {
    known ??= childrenIn(parents)
    return known
  }
  const unlink = (name: string): void => {
    for (const parent of parents.get(name) ?? []) known?.get(parent)?.delete(name)
  }
  return {
    /**
     * Sets what `name`'s transform reads, including names of missing assets. Returns false if that is
     * unchanged.
     */
    set(name: string, next: readonly string[]): boolean {
      const before = parents.get(name)
      if (before && sameList(before, next)) return false
      unlink(name)
      parents.set(name, next)
      if (known !== undefined) for (const parent of next) addTo(known, parent, name)
      changed.add(name)
      return true
    },
    remove(name: string): void {
      if (!parents.has(name)) return
      unlink(name)
      parents.delete(name)
      levels.delete(name)
      for (const child of children().get(name) ?? []) changed.add(child)
      changed.delete(name)
    },
    childrenOf: (name: string): Iterable<string> => children().get(name) ?? [],
    parentsOf: (name: string): readonly string[] => parents.get(name) ?? [],
    /**
     * Returns one more than the highest level among the parents; `inCycle` for members of a cycle and what
     * reads them.
     */
    levelOf: (name: string): number => levels.get(name) ?? inCycle,
    /** Updates the levels. Returns the names that entered or left a cycle, or depend on one that did. */
    settle(): readonly string[] {
      if (changed.size === 0) return []
      const few = changed.size * 10 < parents.size
      const isSettled = few && settleFew(levels, changed, parents, children())
      changed.clear()
      if (isSettled) return []
      const before = levels
      levels = levelsOf(parents, children())
      return [...levels].filter(([name, level]) => crossed(before.get(name), level)).map(([name]) => name)
    },
  }
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

type Children = Map<string, Set<string>>

function childrenIn(parents: ReadonlyMap<string, readonly string[]>): Children {
  const children: Children = new Map()
  for (const [name, reads] of parents) for (const parent of reads) addTo(children, parent, name)
  return children
}

/** Returns whether a name entered or left a cycle. A name that is new was in none. */
function crossed(before: number | undefined, after: number): boolean {
  return (before === inCycle) !== (after === inCycle)
}

/**
 * Updates the levels of `changed` and of all that depends on them. Returns false, with nothing changed, if
 * there is or was a cycle nearby.
 */
function settleFew(
  levels: Map<string, number>,
  changed: ReadonlySet<string>,
  parents: ReadonlyMap<string, readonly string[]>,
  children: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const found = new Map<string, number>()
  const known = (name: string): number | undefined => found.get(name) ?? levels.get(name)
  const waiting = [...changed]
  for (let next = 0; next < waiting.length; next++) {
    const name = waiting[next] ?? ''
    const reads = parents.get(name)
    if (reads === undefined) continue
    const level = levelAfter(reads.filter(parent => parents.has(parent)).map(parent => known(parent) ?? 0))
    // Levels in a cycle would rise without end.
    if (known(name) === inCycle || level > parents.size || next > 4 * parents.size) return false
    if (known(name) === level) continue
    found.set(name, level)
    for (const child of children.get(name) ?? []) waiting.push(child)
  }
  for (const [name, level] of found) levels.set(name, level)
  return true
}

function levelAfter(levels: readonly number[]): number {
  return levels.reduce((highest, level) => Math.max(highest, level + 1), 0)
}

/** Computes the levels with Kahn's algorithm: names that it never reaches are in a cycle or depend on one. */
function levelsOf(
  parents: ReadonlyMap<string, readonly string[]>,
  children: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, number> {
  const levels = new Map<string, number>()
  const waiting = new Map<string, number>()
  let ready: string[] = []
  for (const [name, reads] of parents) {
    const count = reads.filter(parent => parents.has(parent)).length
    waiting.set(name, count)
    levels.set(name, inCycle)
    if (count === 0) ready.push(name)
  }
  for (let level = 0; ready.length > 0; level++) {
    const next: string[] = []
    for (const name of ready) {
      levels.set(name, level)
      for (const child of children.get(name) ?? []) {
        const left = (waiting.get(child) ?? 0) - 1
        waiting.set(child, left)
        if (left === 0) next.push(child)
      }
    }
    ready = next
  }
  return levels
}
