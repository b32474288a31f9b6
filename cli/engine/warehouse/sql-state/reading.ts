/** How a store asks: through whom, of which project, and what it does where an older svc made the tables. */
import { knowsProjects, refuseNewer, versionOfTable } from '../../state/migrations.ts'
import { type OwnedTable, stateSchema } from '../../state/tables.ts'
import type { StateAccess } from '../warehouse.ts'
import { ownCondition, type StateOwner, stateTable } from './change-statements.ts'
import type { StateDialect } from './state-dialect.ts'

export interface Reading {
  readonly access: StateAccess
  readonly dialect: StateDialect
  /** Condition: a row belongs to the project. */
  readonly own: string
  /** Condition: a row belongs to another one; undefined where nothing tells projects apart. */
  readonly others: string | undefined
}

/**
 * What `ask` answers. Where that fails the tables may be missing, older (what they hold is of the project that will
 * migrate them), or newer (SvcError `warehouse-newer`); to find out first would cost every command a round trip.
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
    if (knowsProjects(version)) throw error
    return ask({ access, dialect, own: '1 = 1', others: undefined })
  }
}

/** Undefined: there are no state tables. */
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
