/** The promotion of a run with failures under `promotion: passed`: its views, without those of what keeps its live build. */
import { isStill, pointerMoves } from '../plan/pointers.ts'
import { productionViews } from '../plan/production-views.ts'
import { readersIn } from '../plan/readers.ts'
import type { PromoteStep } from '../plan/step.ts'
import { isKept } from './keep-failed.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'

/** Returns undefined if nothing moves: the run has then promoted nothing, and failed. */
export function promotionOfPassed(
  { workspace, progress }: Run,
  { state, names, full, missing }: PreparedRun,
): PromoteStep | undefined {
  const { project, environment } = workspace
  const passed = names.filter(name => !isKept(progress.assets.get(name)))
  const views = productionViews({ state, project, environment, names: passed, full: false })
  const keys = new Map<string, string>()
  for (const [name, live] of state.live) {
    if (!full || project.byName.has(name)) keys.set(name, live.build_key)
    else views.delete(name)
  }
  for (const name of passed) {
    const build = progress.assets.get(name)?.build
    if (build !== undefined) keys.set(name, build.build_key)
  }
  const viewOf = (name: string) => views.get(name)
  const moves = pointerMoves({ state, keys, missing, viewOf, readersOf: readersIn(project, passed) })
  if (isStill(moves)) return undefined
  return { kind: 'promote', id: 'promote', after: [], moves, views: views.size }
}
