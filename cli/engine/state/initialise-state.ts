/** Makes the state tables where they are missing and refuses those of a newer svc. Reads no state. */
import { SvcError } from '../errors.ts'
import type { WarehouseReader, WarehouseSession } from '../warehouse/warehouse.ts'
import { createStateTables, stateSchema, stateTable, stateVersion } from './tables.ts'

/** Idempotent; one round trip where the tables exist. SvcError `warehouse-newer`. */
export async function initialiseState(session: WarehouseSession): Promise<void> {
  const version = await stateVersionOf(session)
  if (version === stateVersion) return
  if (version !== undefined) refuseNewer(version)
  const { dialect } = session
  const raise = `UPDATE ${stateTable(dialect, 'svc_meta')} SET version = ${stateVersion}`
  // Tables that an older svc did not know are made; its own have kept their shape.
  const sql = [...createStateTables(dialect), ...(version === undefined ? [] : [raise])]
  await session.transaction(sql.map(each => ({ sql: each })))
}

/** Undefined: there are no state tables. */
export async function stateVersionOf(session: WarehouseReader): Promise<number | undefined> {
  const meta = stateTable(session.dialect, 'svc_meta')
  try {
    const [row] = await session.query<{ version: number | null }>(
      `SELECT max(version) AS version FROM ${meta}`,
    )
    return row?.version ?? undefined
  } catch (error) {
    const exists = (await session.relations(stateSchema)).some(({ name }) => name === 'svc_meta')
    if (exists) throw error
    return undefined
  }
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
