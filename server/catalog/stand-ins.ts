/**
 * Refs to assets that do not exist: the nearest existing name stands in, so that the other errors of the file show. A
 * stand-in is read like a parent, and never one that would close a cycle.
 */
import type { Graph } from './graph.ts'

export interface StandIns {
  /** What stands in for a missing asset when `reader` reads it. */
  of(reader: string, missing: string): string | undefined
  /** `reads` with stand-ins in place of what is missing. */
  place(
    reader: string,
    reads: readonly string[],
    exists: (name: string) => boolean,
    nearest: (missing: string) => readonly string[],
  ): readonly string[]
  remove(reader: string): void
  /** Those that read something missing: to be looked at again when assets come or go. */
  readers(): Iterable<string>
}

/** Beyond this, a project lacks so much that guessing would only cost time. */
const maxReaders = 200

export function newStandIns(graph: Graph): StandIns {
  const byReader = new Map<string, Map<string, string | undefined>>()
  return {
    of: (reader, missing) => byReader.get(reader)?.get(missing),
    readers: () => [...byReader.keys()],
    remove: reader => byReader.delete(reader),
    place(reader, reads, exists, nearest) {
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

/** Whether `to` reads `from`, through however many others. */
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
