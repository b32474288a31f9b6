/**
 * Selects the unit tests that an analysis runs: those of assets that changed or were bound again, or all. They begin as
 * soon as their asset is bound, while others still are.
 */
import { hasUnitTests } from '../../language/unit/unit-case.ts'
import type { Bound } from '../bound.ts'
import { newEntry } from '../entry.ts'
import type { Task } from '../task.ts'
import { isUnchecked } from '../too-expensive.ts'
import type { UnitRun } from './unit-runner.ts'

export interface StaleUnits {
  /** The asset has just been bound. */
  begin(name: string): void
  /** Runs the stale unit tests of assets that are bound; those of other assets wait until they are. */
  finish(): Promise<void>
  /** Leaves out what has not begun, and waits for the rest. */
  stop(): Promise<void>
}

export const noUnits: StaleUnits = {
  begin: () => undefined,
  finish: async () => undefined,
  stop: async () => undefined,
}

export function markUnits({ state, isWanted, assetOf }: Task): void {
  state.units.forget()
  for (const name of state.entries.keys()) {
    const asset = isWanted(name) ? assetOf(name) : undefined
    if (asset !== undefined && hasUnitTests(asset)) state.staleUnits.add(name)
  }
}

export function staleUnits(task: Task): StaleUnits {
  openEarly(task)
  const run = runOf(task)
  /** An asset may be bound again: only the tests of what it is bound to last count. */
  const begun = new Map<string, Bound>()
  const { state } = task
  const begin = (name: string) => {
    if (!task.isWanted(name) || state.stale.has(name)) return
    const asset = task.assetOf(name)
    const bound = state.entries.get(name)?.bound
    if (asset === undefined || bound === undefined || !hasUnitTests(asset)) state.staleUnits.delete(name)
    else if (begun.get(name) !== bound) {
      begun.set(name, bound)
      run.add({ asset, bound })
    }
  }
  return {
    begin,
    finish() {
      for (const name of state.staleUnits) begin(name)
      return run.finish()
    },
    stop() {
      run.cancel()
      return run.finish().catch(() => undefined)
    },
  }
}

/** Opens the database early: it starts up while SQL is being bound. */
function openEarly({ state, isWanted, assetOf }: Task): void {
  for (const name of state.stale) {
    const asset = isWanted(name) ? assetOf(name) : undefined
    if (asset === undefined || !hasUnitTests(asset)) continue
    state.units.begin(state.limits)
    return
  }
}

function runOf({ state, world, guard, isAborted }: Task): UnitRun {
  return state.units.run({ world, isAborted, limits: state.limits }, ({ asset, bound }, units) => {
    const entry = state.entries.get(asset.name)
    if (entry?.bound !== bound || state.stale.has(asset.name)) return
    const { tests, lastGood } = entry
    if (units.some(({ diagnostics }) => diagnostics.some(isUnchecked))) guard.noteEnded()
    state.entries.set(asset.name, newEntry(asset.name, { bound, tests, units, lastGood }))
    state.staleUnits.delete(asset.name)
  })
}
