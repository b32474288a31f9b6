/** The two clocks of what is live, when its rows were fetched and its newest rows, and whether it is there. Read while the warehouse is open. */
import { goneAssets } from '../run/gone-assets.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type LoadTimes, readLoadTimes } from './load-times.ts'
import { type NewestRows, newestRows } from './newest-rows.ts'

export interface LiveTimes {
  readonly loadTimes: LoadTimes
  readonly newestRows: NewestRows
  /** What somebody has done to what is live, by asset. */
  readonly gone: ReadonlyMap<string, string>
}

/** `isWhole`: all of it was looked at a moment ago, and is there. */
export async function readLiveTimes(
  session: WarehouseSession,
  state: StateSnapshot,
  { project }: Pick<Workspace, 'project'>,
  isWhole = false,
): Promise<LiveTimes> {
  return {
    loadTimes: await readLoadTimes(session.state, state),
    newestRows: await newestRows(session, state, [...project.byName.values()]),
    gone: isWhole ? new Map() : await goneAssets(session, state),
  }
}
