/**
 * Keeps the entry of each asset and the analyses that were published before, without copying ten thousand
 * entries.
 */
import type { AssetAnalysis, ProjectAnalysis } from '../language/index.ts'
import { patched } from '../language/project/patched-map.ts'
import type { Entry } from './state.ts'

export interface Entries {
  get(name: string): Entry | undefined
  has(name: string): boolean
  set(name: string, entry: Entry): void
  remove(name: string): void
  keys(): Iterable<string>
  /**
   * Returns the present state; later changes do not show in it. `stale` has the names whose entries are out
   * of date.
   */
  analysis(stale: ReadonlySet<string>): ProjectAnalysis
}

export function newEntries(): Entries {
  const known = new Map<string, Entry>()
  /** The entries as they were last published. */
  let published: ReadonlyMap<string, Entry> = new Map()
  const changed = new Set<string>()
  let last: Published | undefined
  const history: History = []
  return {
    get: name => known.get(name),
    has: name => known.has(name),
    set(name, entry) {
      known.set(name, entry)
      changed.add(name)
    },
    keys: () => known.keys(),
    remove(name) {
      known.delete(name)
      changed.add(name)
    },
    analysis(stale) {
      const names = [...changed, ...(last?.stale ?? []), ...stale]
      if (last !== undefined && names.length === 0) return last
      published = changed.size > manyNames ? new Map(known) : withChanges(published, known, changed)
      changed.clear()
      const next = new Published(published, new Set(stale), history)
      history.push({ before: new WeakRef(last ?? next), after: new WeakRef(next), names })
      if (history.length > stepsKept) history.shift()
      last = next
      return next
    },
  }
}

/** Up to so many changed entries are patched over the published map; beyond that a copy is cheaper. */
const manyNames = 64
const stepsKept = 32

/**
 * The names that changed between two published analyses. The references are weak because analyses are large.
 */
type History = {
  readonly before: WeakRef<Published>
  readonly after: WeakRef<Published>
  readonly names: readonly string[]
}[]

class Published implements ProjectAnalysis {
  readonly stale: ReadonlySet<string>
  readonly #known: ReadonlyMap<string, Entry>
  readonly #history: History

  constructor(known: ReadonlyMap<string, Entry>, stale: ReadonlySet<string>, history: History) {
    this.#known = known
    this.stale = stale
    this.#history = history
  }

  of(name: string): AssetAnalysis | undefined {
    return this.stale.has(name) ? undefined : this.#known.get(name)?.analysis
  }

  changedSince(before: ProjectAnalysis): readonly string[] | undefined {
    if (before === this) return []
    const from = this.#history.findIndex(step => step.before.deref() === before)
    const to = this.#history.findIndex(step => step.after.deref() === this)
    if (from < 0 || to < from) return undefined
    return [...new Set(this.#history.slice(from, to + 1).flatMap(({ names }) => names))]
  }
}

function withChanges(
  published: ReadonlyMap<string, Entry>,
  known: ReadonlyMap<string, Entry>,
  changed: ReadonlySet<string>,
): ReadonlyMap<string, Entry> {
  let next = published
  for (const name of changed) next = patched(next, name, known.get(name))
  return next
}
