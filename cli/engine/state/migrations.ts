/**
 * What each version of the state tables changed, oldest first. An engine's store carries a warehouse forward through all
 * of them, and raises the version last; what an older svc wrote is kept, and belongs to the project that migrates it.
 */
import { SvcError } from '../errors.ts'
import { type OwnedTable, ownedTables, stateVersion } from './tables.ts'

export interface Migration {
  readonly to: number
  /** Tables that came with this version; they are made as they are today. */
  readonly tables: readonly OwnedTable[]
  /** Tables whose rows are of a project from this version on. */
  readonly owned: readonly OwnedTable[]
}

export const migrations: readonly Migration[] = [
  { to: 2, tables: ['svc_rejects'], owned: [] },
  { to: 3, tables: ['svc_drift'], owned: [] },
  { to: 4, tables: [], owned: ownedTables },
]

/** Those that a warehouse of this version still lacks. */
export function migrationsAfter(version: number): readonly Migration[] {
  return migrations.filter(({ to }) => to > version)
}

/** The version that a table came with. */
export function versionOfTable(table: OwnedTable): number {
  return migrations.find(({ tables }) => tables.includes(table))?.to ?? 1
}

/** Whether rows say whose they are. */
export function knowsProjects(version: number): boolean {
  return migrationsAfter(version).every(({ owned }) => owned.length === 0)
}

/** SvcError `warehouse-newer`: what this svc does not know it must not change. */
export function refuseNewer(version: number): void {
  if (version <= stateVersion) return
  throw new SvcError(
    'warehouse-newer',
    `the state tables of this warehouse have version ${version}, and this svc knows ${stateVersion}`,
    { hint: 'Update svc.' },
  )
}
