/**
 * The changes that each version made to the state tables, oldest first. The store of an engine applies all
 * that a warehouse lacks, and updates the version last. Rows of an older svc are kept, and belong to the
 * project that migrates them.
 */
import { buildId } from '../config/build-id.ts'
import { SvcError } from '../errors.ts'
import { type OwnedTable, ownedTables, type StateTable, stateVersion } from './tables.ts'

export interface Migration {
  readonly to: number
  /** Tables that this version added; they are created in their present shape. */
  readonly tables: readonly OwnedTable[]
  /** Tables whose rows belong to a project from this version on. */
  readonly owned: readonly OwnedTable[]
  /** Columns that this version added to existing tables; they are NULL in rows of an older svc. */
  readonly columns: readonly (readonly [OwnedTable, string])[]
  /** Tables that have fewer columns from this version on, or columns of other types. */
  readonly reshaped?: readonly OwnedTable[]
}

/** The tables that belong to projects since version 4; later ones are created so. */
const newerTables: readonly OwnedTable[] = [
  'svc_lineage',
  'svc_marks',
  'svc_publishes',
  'svc_published',
  'svc_publish_rejects',
  'svc_loaded_files',
  'svc_view_texts',
  'svc_fetches',
]
const tablesOfVersion3 = ownedTables.filter(name => !newerTables.includes(name))

export const migrations: readonly Migration[] = [
  { to: 2, tables: ['svc_rejects'], owned: [], columns: [] },
  { to: 3, tables: ['svc_drift'], owned: [], columns: [] },
  { to: 4, tables: [], owned: tablesOfVersion3, columns: [] },
  {
    to: 5,
    tables: ['svc_lineage', 'svc_marks'],
    owned: [],
    columns: [
      ['svc_state_history', 'trigger'],
      ['svc_state_history', 'git_commit'],
      ['svc_state_history', 'refused'],
      ['svc_builds', 'salt'],
    ],
  },
  { to: 6, tables: ['svc_publishes', 'svc_published', 'svc_publish_rejects'], owned: [], columns: [] },
  { to: 7, tables: ['svc_loaded_files'], owned: [], columns: [] },
  { to: 8, tables: [], owned: [], columns: [], reshaped: ['svc_published'] },
  { to: 9, tables: [], owned: [], columns: [['svc_views', 'readers']] },
  { to: 10, tables: ['svc_view_texts'], owned: [], columns: [] },
  { to: 11, tables: [], owned: [], columns: [['svc_state_history', 'warnings']] },
  { to: 12, tables: ['svc_fetches'], owned: [], columns: [] },
  { to: 13, tables: [], owned: [], columns: [['svc_publishes', 'warnings']] },
]

/** Returns the migrations that a warehouse of this version still lacks. */
export function migrationsAfter(version: number): readonly Migration[] {
  return migrations.filter(({ to }) => to > version)
}

/** Returns the version that added a table. */
export function versionOfTable(table: OwnedTable): number {
  return migrations.find(({ tables }) => tables.includes(table))?.to ?? 1
}

/** Returns the tables that a warehouse of this version must have and has not: somebody has dropped them. */
export function tablesLost(version: number, present: ReadonlySet<string>): readonly OwnedTable[] {
  return ownedTables.filter(name => versionOfTable(name) <= version && !present.has(name))
}

/** Throws SvcError `state-lost`: what such a table held decides what is live, so that no command goes on without it. */
export function refuseLost(lost: readonly OwnedTable[]): void {
  if (lost.length === 0) return
  const names = lost.join(', ')
  throw new SvcError(
    'state-lost',
    `the warehouse has lost ${lost.length === 1 ? `a state table of svc: ${names}` : `state tables of svc: ${names}`}`,
    {
      hint: svc =>
        `Restore the warehouse from a backup, or make what is missing again, empty: ${svc('init')}.`,
      facts: { tables: lost },
    },
  )
}

/** Returns whether rows of this version name their project. */
export function knowsProjects(version: number): boolean {
  return migrationsAfter(version).every(({ owned }) => owned.length === 0)
}

/** Returns the columns of a table that rows of this version lack. */
export function columnsAfter(version: number, table: StateTable): ReadonlySet<string> {
  const added = migrationsAfter(version).flatMap(({ columns }) => columns)
  return new Set(added.filter(([name]) => name === table).map(([, column]) => column))
}

/** Throws SvcError `warehouse-newer`, because svc must not change tables whose shape it does not know. */
export function refuseNewer(version: number): void {
  if (version <= stateVersion) return
  throw new SvcError(
    'warehouse-newer',
    `the state tables of this warehouse have version ${version}, and this svc knows ${stateVersion}`,
    { hint: `Update svc: this one is build ${buildId}.` },
  )
}
