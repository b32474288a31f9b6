/**
 * Chooses stand-ins for refs to missing assets: the nearest existing name, so that other errors of the file
 * are found too. A stand-in counts as a parent, so it is never one that would close a cycle.
 */
import type { Graph } from './graph.ts'

export type StandIns = ReturnType<typeof newStandIns>

/** Beyond this number of readers no stand-ins are chosen: guessing would only cost time. */
const maxReaders = 200

export function newStandIns(graph: Graph) {
  const byReader = new Map<string, Map<string, string | undefined>>()
  return {
    /** Returns the stand-in for a missing asset that `reader` reads. */
    of: (reader: string, missing: string): string | undefined => byReader.get(reader)?.get(missing),
    /** Returns the assets that read a missing one: they are checked again when assets are added or removed. */
    readers: (): Iterable<string> => [...byReader.keys()],
    remove: (reader: string) => void byReader.delete(reader),
    /** Updates the stand-ins of a reader and returns `reads` with them added. */
    place(
      reader: string,
      reads: readonly string[],
      exists: (name: string) => boolean,
      nearest: (missing: string) => readonly string[],
    ): readonly string[] {
      byReader.delete(reader)
      const missing = reads.filter(name => !exists(name))
      if (missing.length === 0 || byReader.size >= maxReaders) return reads
      const chosen = new Map(missing.map(name => [name, choose(graph, reader, nearest(name))]))
      byReader.set(reader, chosen)
      return [
        ...new Set(reads.flatMap(name => [name, ...(chosen.get(name) ? [chosen.get(name) ?? name] : [])])),
      ]
    },
  }
}

function choose(graph: Graph, reader: string, near: readonly string[]): string | undefined {
  const nearest = near.find(name => name !== reader)
  return nearest !== undefined && !reaches(graph, reader, nearest) ? nearest : undefined
}

/** Returns whether `to` depends on `from`, directly or not. */
export function reaches(graph: Graph, from: string, to: string): boolean {
  const seen = new Set<string>()
  const waiting = [from]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === to) return true
    if (seen.has(name)) continue
    seen.add(name)
    waiting.push(...graph.childrenOf(name))
  }
  return false
}
