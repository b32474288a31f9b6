/** The two clocks of what is live: when its rows were fetched, and its newest rows. Read while the warehouse is open. */
import type { StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type LoadTimes, readLoadTimes } from './load-times.ts'
import { type NewestRows, newestRows } from './newest-rows.ts'

export interface LiveTimes {
  readonly loadTimes: LoadTimes
  readonly newestRows: NewestRows
}

export async function readLiveTimes(
  session: WarehouseSession,
  state: StateSnapshot,
  { project }: Pick<Workspace, 'project'>,
): Promise<LiveTimes> {
  return {
    loadTimes: await readLoadTimes(session.state, state),
    newestRows: await newestRows(session, state, [...project.byName.values()]),
  }
}
