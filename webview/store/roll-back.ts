/** Whether there is anything to go back to. Pure. */
import type { AttemptedRun } from '../protocol.ts'
import type { Store } from './store.ts'

/** A first deployment has nothing before it. */
export function hasEarlier(runs: readonly Pick<AttemptedRun, 'generation'>[]): boolean {
  return new Set(runs.flatMap(({ generation }) => generation ?? [])).size > 1
}

export function mayRollBack(store: Store): boolean {
  return store.canRun.value && hasEarlier(store.data.value?.history.runs ?? [])
}
