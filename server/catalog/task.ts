/** The context of one analysis: the assets it is about, and the options. */
import { metricAssets } from '../language/glossary/metric-asset.ts'
import type { AnalyzeOptions, Asset, Project } from '../language/index.ts'
import type { KnownNames } from './diagnose/treatment.ts'
import type { Graph } from './graph.ts'
import { type Guard, newGuard } from './guard.ts'
import { namesOf, worldOf } from './known-world.ts'
import type { Outside } from './outside.ts'
import type { State } from './state.ts'
import type { World } from './statement.ts'

export interface Subject {
  readonly project: Project
  readonly outside: Outside
  readonly batchSize: number
}

export interface Task {
  readonly state: State
  readonly world: World
  readonly names: KnownNames
  readonly batchSize: number
  readonly guard: Guard
  readonly isWanted: (name: string) => boolean
  /** What these read is wanted too, after it was found that they read more than their tags say. */
  readonly want: (names: readonly string[]) => void
  readonly isAborted: () => boolean
  readonly assetOf: (name: string) => Asset | undefined
}

export function taskOf(
  state: State,
  { project, outside, batchSize }: Subject,
  options: AnalyzeOptions | undefined,
): Task {
  const wanted = options?.names && new Set<string>()
  const want = (names: readonly string[]): void => {
    if (wanted !== undefined) addAncestors(wanted, state.graph, names)
  }
  want(options?.names ?? [])
  return {
    state,
    world: worldOf(state, project, outside),
    names: namesOf(state, project),
    batchSize,
    guard: guardOf(state),
    isWanted: name => wanted === undefined || wanted.has(name),
    want,
    isAborted: () => options?.signal?.aborted === true,
    assetOf: name => project.byName.get(name) ?? metricAssets(project).get(name),
  }
}

/** The next statement opens an empty database. */
export function forgetDatabase({ binder, tables }: State): void {
  binder.reopen()
  tables.forget()
}

function guardOf(state: State): Guard {
  return newGuard(
    { engine: state.engine, limits: state.limits },
    {
      losses: state.losses,
      noteEnded: () => {
        state.hasUnchecked = true
      },
      recover: () => forgetDatabase(state),
    },
  )
}

function addAncestors(wanted: Set<string>, graph: Graph, names: readonly string[]): void {
  const waiting = [...names]
  for (const name of names) wanted.delete(name)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (wanted.has(name)) continue
    wanted.add(name)
    waiting.push(...graph.parentsOf(name))
  }
}
