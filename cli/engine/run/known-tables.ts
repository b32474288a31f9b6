/**
 * What a source is known to hold: what its last run wrote to `schemas.lock.json`, and what is loaded in this
 * environment, where the lock is missing or behind. Ground for what a contract calls new.
 */
import type { Engine, RawTable } from '@svc/server/language'
import { loadedTables } from '../plan/last-load.ts'
import type { StateSnapshot } from '../state/state.ts'

/** Undefined: never loaded. */
export function knownTables(
  locked: readonly RawTable[] | undefined,
  state: StateSnapshot,
  asset: string,
  engine: Engine,
): readonly RawTable[] | undefined {
  const loaded = loadedTables(state, asset)
  return loaded === undefined ? locked : united(locked ?? [], loaded, engine)
}

/** The lock leads: it knows ways, and what was absent. */
function united(locked: readonly RawTable[], loaded: readonly RawTable[], { fold }: Engine): RawTable[] {
  const byChild = new Map(locked.map(table => [table.child, table]))
  const merged = loaded.map(table => {
    const lock = byChild.get(table.child)
    if (lock === undefined) return table
    const names = new Set(lock.columns.map(({ name }) => fold(name)))
    return {
      ...lock,
      columns: [...lock.columns, ...table.columns.filter(({ name }) => !names.has(fold(name)))],
    }
  })
  const children = new Set(loaded.map(({ child }) => child))
  return [...merged, ...locked.filter(({ child }) => !children.has(child))]
}
