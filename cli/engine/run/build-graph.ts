/**
 * The dependency order of a run's relations: which can start now, what each one's end sets free. Holds no session and
 * runs nothing; `build-assets.ts` feeds it what happened.
 */
import type { BuildTask } from '../warehouse/warehouse.ts'

export interface BuildNode {
  readonly id: string
  readonly asset: string
  /** Ids of nodes that must be complete first; unknown ids count as complete. */
  readonly after: readonly string[]
  /** Makes the task once everything before it is complete; undefined: it cannot be made and has failed. */
  readonly make: () => BuildTask | undefined
}

export interface BuildGraph {
  /** The tasks that wait for nothing. */
  start(): BuildTask[]
  /** The tasks that wait for nothing any more now that `id` is complete. */
  complete(id: string): BuildTask[]
}

export function buildGraph(nodes: readonly BuildNode[]): BuildGraph {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const waiting = new Map<string, number>()
  const dependents = new Map<string, BuildNode[]>()
  for (const node of nodes) {
    const before = node.after.filter(id => byId.has(id))
    waiting.set(node.id, before.length)
    for (const id of before) append(dependents, id, node)
  }
  const make = (node: BuildNode) => {
    const task = node.make()
    return task === undefined ? [] : [task]
  }
  return {
    start: () => nodes.filter(node => waiting.get(node.id) === 0).flatMap(make),
    complete: id =>
      (dependents.get(id) ?? []).flatMap(node => {
        const left = (waiting.get(node.id) ?? 0) - 1
        waiting.set(node.id, left)
        return left === 0 ? make(node) : []
      }),
  }
}

function append(lists: Map<string, BuildNode[]>, id: string, node: BuildNode): void {
  const list = lists.get(id)
  if (list === undefined) lists.set(id, [node])
  else list.push(node)
}
