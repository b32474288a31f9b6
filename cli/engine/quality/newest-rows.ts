/** Finds the newest row of the live builds whose `freshness` names a column. */
import { type Asset, internalName } from '@svc/server/language'
import { messageOf } from '../errors.ts'
import { liveBuild } from '../plan/last-load.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'

/** `at` is undefined if no row has a value; `problem` is why the column could not be read. */
export type NewestRow = { readonly at: Date | undefined } | { readonly problem: string }
const newestName = internalName('newest')

export type NewestRows = ReadonlyMap<string, NewestRow>

/** Assets without a column, and those that were never deployed, are absent. */
export async function newestRows(
  session: WarehouseSession,
  state: StateSnapshot,
  assets: readonly Asset[],
): Promise<NewestRows> {
  const found = new Map<string, NewestRow>()
  for (const { name, definition } of assets) {
    const column = definition.freshness?.column
    const build = liveBuild(state, name)
    if (column === undefined || build === undefined) continue
    const { dialect } = session
    const newest = dialect.epochSeconds(`max(${dialect.identifier(column)})`)
    const sql = `SELECT ${newest} AS ${newestName} FROM ${dialect.relation(build.relation)}`
    found.set(name, await attempt(session, sql))
  }
  return found
}

async function attempt(session: WarehouseSession, sql: string): Promise<NewestRow> {
  try {
    const [row] = await session.query(sql)
    const isKnown = row?.[newestName] !== null && row?.[newestName] !== undefined
    return { at: isKnown ? new Date(Number(row[newestName]) * 1000) : undefined }
  } catch (error) {
    return { problem: messageOf(error).split('\n', 1)[0] ?? '' }
  }
}
