/**
 * Returns the known tables of a source: from `schemas.lock.json`, which its last run wrote, and from the load
 * in this environment if the lock file is missing or outdated. A contract treats everything else as new.
 */
import type { Engine, RawTable } from '@svc/server/language'
import { liveTables } from '../plan/last-load.ts'
import type { StateSnapshot } from '../state/state.ts'

/** Returns undefined if the source was never loaded. */
export function knownTables(
  locked: readonly RawTable[] | undefined,
  state: StateSnapshot,
  asset: string,
  engine: Engine,
): readonly RawTable[] | undefined {
  const loaded = liveTables(state, asset)
  return loaded === undefined ? locked : united(locked ?? [], loaded, engine)
}

/** Merges both; the lock file takes precedence, because it has paths and absent columns. */
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
