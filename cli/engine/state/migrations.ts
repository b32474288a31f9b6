/**
 * The changes that each version made to the state tables, oldest first. The store of an engine applies all
 * that a warehouse lacks, and updates the version last. Rows of an older svc are kept, and belong to the
 * project that migrates them.
 */
import { SvcError } from '../errors.ts'
import { type OwnedTable, ownedTables, stateVersion } from './tables.ts'

export interface Migration {
  readonly to: number
  /** Tables that this version added; they are created in their present shape. */
  readonly tables: readonly OwnedTable[]
  /** Tables whose rows belong to a project from this version on. */
  readonly owned: readonly OwnedTable[]
}

export const migrations: readonly Migration[] = [
  { to: 2, tables: ['svc_rejects'], owned: [] },
  { to: 3, tables: ['svc_drift'], owned: [] },
  { to: 4, tables: [], owned: ownedTables },
]

/** Returns the migrations that a warehouse of this version still lacks. */
export function migrationsAfter(version: number): readonly Migration[] {
  return migrations.filter(({ to }) => to > version)
}

/** Returns the version that added a table. */
export function versionOfTable(table: OwnedTable): number {
  return migrations.find(({ tables }) => tables.includes(table))?.to ?? 1
}

/** Returns whether rows of this version name their project. */
export function knowsProjects(version: number): boolean {
  return migrationsAfter(version).every(({ owned }) => owned.length === 0)
}

/** Throws SvcError `warehouse-newer`, because svc must not change tables whose shape it does not know. */
export function refuseNewer(version: number): void {
  if (version <= stateVersion) return
  throw new SvcError(
    'warehouse-newer',
    `the state tables of this warehouse have version ${version}, and this svc knows ${stateVersion}`,
    { hint: 'Update svc.' },
  )
}
