/** Selects the unit tests that an analysis runs: those of assets that changed or were bound again, or all. */
import { hasUnitTests } from '../../language/unit/unit-case.ts'
import { newEntry } from '../entry.ts'
import type { Task } from '../task.ts'
import type { UnitTask } from './unit-bench.ts'

export function markUnits({ state, isWanted, assetOf }: Task): void {
  state.units.forget()
  for (const name of state.entries.keys()) {
    const asset = isWanted(name) ? assetOf(name) : undefined
    if (asset !== undefined && hasUnitTests(asset)) state.staleUnits.add(name)
  }
}

/** Starts the process early: it starts up while SQL is being bound. */
export function beginUnits({ state, isWanted, assetOf }: Task): void {
  for (const name of state.stale) {
    const asset = isWanted(name) ? assetOf(name) : undefined
    if (asset === undefined || !hasUnitTests(asset)) continue
    state.units.begin(state.limits)
    return
  }
}

/** Runs the stale unit tests of assets that are bound; those of other assets wait until they are. */
export async function runStaleUnits(task: Task): Promise<void> {
  const { state, world, isAborted } = task
  const due: UnitTask[] = []
  for (const name of state.staleUnits) {
    if (!task.isWanted(name) || state.stale.has(name)) continue
    const asset = task.assetOf(name)
    const bound = state.entries.get(name)?.bound
    if (asset !== undefined && bound !== undefined && hasUnitTests(asset)) due.push({ asset, bound })
    else state.staleUnits.delete(name)
  }
  if (due.length === 0) return
  const around = { world, binder: state.binder, isAborted, limits: state.limits }
  await state.units.run(due, around, ({ asset, bound }, results) => {
    const { tests, lastGood } = state.entries.get(asset.name) ?? { tests: undefined, lastGood: undefined }
    state.entries.set(asset.name, newEntry(asset.name, { bound, tests, units: results, lastGood }))
    state.staleUnits.delete(asset.name)
  })
}
