/** Who reads whom, kept from snapshot to snapshot, and in which order assets are to be looked at. */

export interface Graph {
  /** Sets what `name`'s transform reads; names of missing assets included. False: as before. */
  set(name: string, parents: readonly string[]): boolean
  remove(name: string): void
  childrenOf(name: string): Iterable<string>
  parentsOf(name: string): readonly string[]
  /** One more than the highest level among the parents; `inCycle` where there is none. */
  levelOf(name: string): number
  /** Brings levels up to date; gives the names that entered or left a cycle (or what hangs on one). */
  settle(): readonly string[]
}

export const inCycle = Number.MAX_SAFE_INTEGER

export function newGraph(): Graph {
  const parents = new Map<string, readonly string[]>()
  /** Made when somebody asks for it: of a graph that is filled at a start often nobody does. */
  let known: Children | undefined
  let levels = new Map<string, number>()
  /** Names whose parents are others since levels were last brought up to date. */
  const changed = new Set<string>()

  const children = (): Children => {
    known ??= childrenIn(parents)
    return known
  }
  const unlink = (name: string): void => {
    for (const parent of parents.get(name) ?? []) known?.get(parent)?.delete(name)
  }
  return {
    set(name, next) {
      const before = parents.get(name)
      if (before && sameList(before, next)) return false
      unlink(name)
      parents.set(name, next)
      if (known !== undefined) for (const parent of next) addTo(known, parent, name)
      changed.add(name)
      return true
    },
    remove(name) {
      if (!parents.has(name)) return
      unlink(name)
      parents.delete(name)
      levels.delete(name)
      for (const child of children().get(name) ?? []) changed.add(child)
      changed.delete(name)
    },
    childrenOf: name => children().get(name) ?? [],
    parentsOf: name => parents.get(name) ?? [],
    levelOf: name => levels.get(name) ?? inCycle,
    settle() {
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

function addTo(children: Children, parent: string, name: string): void {
  const known = children.get(parent)
  if (known) known.add(name)
  else children.set(parent, new Set([name]))
}

/** One that was not there before was in no circle. */
function crossed(before: number | undefined, after: number): boolean {
  return (before === inCycle) !== (after === inCycle)
}

/**
 * Brings the levels of `changed` and of all that hangs on them up to date. False, and nothing is changed: there is a
 * circle somewhere near, or there was one.
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
    // In a circle levels would rise without end.
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

/** Kahn's algorithm: what it never reaches is in a cycle, or reads what is. */
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
