/**
 * What is known of the tables of a source: from `schemas.lock.json`, which its last run wrote, and from the loads in this
 * environment if the lock file is missing or outdated. A contract treats everything else as new.
 */
import type { Engine, RawTable } from '@svc/server/language'
import { liveTables, loadsOf, tablesOfLoad } from '../plan/last-load.ts'
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

/**
 * Returns the columns that earlier loads had and the one behind production has not: it was made without them. The lock file
 * may still have them where a promotion was killed before it wrote that file.
 */
export function droppedColumns(state: StateSnapshot, asset: string): readonly RawTable[] {
  const live = liveTables(state, asset)
  if (live === undefined) return []
  return loadsOf(state, asset)
    .flatMap(tablesOfLoad)
    .map(table => {
      const kept = new Set(live.find(({ child }) => child === table.child)?.columns.map(({ name }) => name))
      return {
        ...table,
        columns: table.columns.filter(({ name, absent }) => absent !== true && !kept.has(name)),
      }
    })
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
