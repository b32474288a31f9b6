/**
 * How a store reads: through which access, for which project, and what it does with tables of an older svc.
 */
import {
  columnsAfter,
  knowsProjects,
  refuseLost,
  refuseNewer,
  tablesLost,
  versionOfTable,
} from '../../state/migrations.ts'
import { type OwnedTable, type StateTable, stateSchema, stateVersion, typeOf } from '../../state/tables.ts'
import type { StateAccess } from '../warehouse.ts'
import { ownCondition, type StateOwner, stateTable } from './change-statements.ts'
import type { StateDialect } from './state-dialect.ts'

export interface Reading {
  readonly access: StateAccess
  readonly dialect: StateDialect
  /** The condition that a row belongs to the project. */
  readonly own: string
  /**
   * The condition that a row belongs to another project; undefined if the tables do not distinguish projects.
   */
  readonly others: string | undefined
  /** The version of the tables, where it is known to be older than this svc. */
  readonly version?: number
}

/** Returns the SQL of a column: its name, or NULL where the tables of an older svc lack it. */
export function columnSql({ dialect, version = stateVersion }: Reading, table: StateTable, column: string) {
  const isThere = version === stateVersion || !columnsAfter(version, table).has(column)
  return isThere ? dialect.identifier(column) : `CAST(NULL AS ${dialect.types[typeOf(table, column)]})`
}

/**
 * Returns the result of `ask`. If it fails, the tables may be missing, older (their rows then belong to the
 * project that will migrate them), or newer (SvcError `warehouse-newer`). This is checked only after a
 * failure, because checking first would cost every command a round trip.
 */
export async function readOwn<T>(
  access: StateAccess,
  owner: StateOwner,
  table: OwnedTable,
  none: T,
  ask: (reading: Reading) => Promise<T>,
): Promise<T> {
  const { dialect } = owner
  const own = ownCondition(owner)
  try {
    return await ask({ access, dialect, own, others: `NOT (${own})` })
  } catch (error) {
    const version = await stateVersionOf(access, dialect)
    if (version === undefined || version < versionOfTable(table)) return none
    refuseNewer(version)
    refuseLost(await lostTables(access, version))
    if (version === stateVersion) throw error
    if (knowsProjects(version)) return ask({ access, dialect, own, others: `NOT (${own})`, version })
    return ask({ access, dialect, own: '1 = 1', others: undefined, version })
  }
}

/** Returns the state tables that a warehouse of this version has lost. */
export async function lostTables(
  access: Pick<StateAccess, 'relations'>,
  version: number,
): Promise<readonly OwnedTable[]> {
  return tablesLost(version, new Set((await access.relations(stateSchema)).map(({ name }) => name)))
}

/** Returns undefined if there are no state tables. */
export async function stateVersionOf(
  access: StateAccess,
  dialect: StateDialect,
): Promise<number | undefined> {
  try {
    const [row] = await access.query<{ version: number | null }>(
      `SELECT max(version) AS version FROM ${stateTable(dialect, 'svc_meta')}`,
    )
    return row?.version ?? undefined
  } catch (error) {
    const exists = (await access.relations(stateSchema)).some(({ name }) => name === 'svc_meta')
    if (exists) throw error
    return undefined
  }
}
