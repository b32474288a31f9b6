/**
 * `svc freshness` (interface.md 3.2, decisions 8): compares the age of each asset that has a `freshness` block with
 * its limits. There are two clocks: the last fetch of the rows that are live and, with a `column`, the newest value in the live
 * build. The one that says it is older counts.
 */
import {
  type Asset,
  type Freshness,
  type FreshnessVerdict,
  freshnessVerdict,
  isAhead,
} from '@svc/server/language'
import { openOptions, withReadSession } from '../run/begin-run.ts'
import { emptyState, type StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type LoadTimes, readLoadTimes } from './load-times.ts'
import { type NewestRow, newestRows } from './newest-rows.ts'

export interface FreshnessRow {
  readonly asset: string
  readonly status: FreshnessVerdict
  /** Undefined if the asset was never deployed, or the column has no value. */
  readonly ageMs: number | undefined
  /** The clock that counts. */
  readonly clock: 'loaded' | 'newest_row'
  /** ISO 8601 UTC time of that clock. */
  readonly last: string | undefined
  readonly loadedAt: string | undefined
  /** The newest value of `column`. */
  readonly newestRow: string | undefined
  readonly column: string | undefined
  readonly warnAfterMs: number | undefined
  readonly errorAfterMs: number | undefined
  /** The newest value of the column, or the time of the fetch, is in the future: it says nothing about the age of the data. */
  readonly isAhead: boolean
  /** Why there is no age, or the error of the query. */
  readonly message: string | undefined
}

/** Returns the rows in the project's order; assets without a `freshness` block are absent. */
export async function freshnessReport(workspace: Workspace): Promise<FreshnessRow[]> {
  const { stateName } = workspace.environment
  return withReadSession(workspace, openOptions(workspace), async session => {
    const state = session === undefined ? emptyState(stateName) : await session.state.read(stateName)
    return freshnessIn(session, state, workspace)
  })
}

export async function freshnessIn(
  session: WarehouseSession | undefined,
  state: StateSnapshot,
  { project, world }: Workspace,
): Promise<FreshnessRow[]> {
  const assets = project.order.flatMap(name => project.byName.get(name) ?? [])
  const watched = assets.filter(({ definition }) => definition.freshness !== undefined)
  // Without a deployment there is nothing to query, and perhaps no table.
  const isDeployed = session !== undefined && state.live.size > 0 && watched.length > 0
  const loaded: LoadTimes = isDeployed ? await readLoadTimes(session.state, state) : new Map()
  const newest = isDeployed ? await newestRows(session, state, watched) : new Map<string, NewestRow>()
  return watched.map(asset => {
    const time = loaded.get(asset.name)
    const at = time === undefined ? undefined : new Date(time)
    const clocks = clocksOf(asset, state, at, newest.get(asset.name))
    return rowOf(asset, clocks, world.now())
  })
}

/** What the two clocks say; `missing` is why one that has to be read cannot be. */
interface Clocks {
  readonly loaded: Date | undefined
  readonly newest: Date | undefined
  readonly missing: { readonly clock: FreshnessRow['clock']; readonly message: string } | undefined
}

function clocksOf(
  asset: Asset,
  state: StateSnapshot,
  loaded: Date | undefined,
  row: NewestRow | undefined,
): Clocks {
  const newest = row !== undefined && 'at' in row ? row.at : undefined
  const column = asset.definition.freshness?.column
  const missing = (clock: FreshnessRow['clock'], message: string) => ({
    loaded,
    newest,
    missing: { clock, message },
  })
  if (!state.live.has(asset.name)) return missing('loaded', `never deployed to ${state.environment}`)
  if (row !== undefined && 'problem' in row) return missing('newest_row', row.problem)
  if (column !== undefined && newest === undefined) return missing('newest_row', `no row has a ${column}`)
  if (loaded === undefined && column === undefined) return missing('loaded', 'its live build has no record')
  return { loaded, newest, missing: undefined }
}

function rowOf(asset: Asset, { loaded, newest, missing }: Clocks, now: Date): FreshnessRow {
  const limits: Freshness = asset.definition.freshness ?? {}
  const isByRow = newest !== undefined && (loaded === undefined || newest < loaded)
  const last = missing === undefined ? (isByRow ? newest : loaded) : undefined
  const ageMs = last === undefined ? undefined : Math.max(0, now.getTime() - last.getTime())
  const isFuture = (time: Date | undefined) => time !== undefined && isAhead(now.getTime() - time.getTime())
  const ahead = isFuture(newest) || isFuture(loaded)
  const ageOf = (time: Date | undefined) => (time === undefined ? [] : [now.getTime() - time.getTime()])
  const ages = missing === undefined ? [...ageOf(loaded), ...ageOf(newest)] : [undefined]
  return {
    asset: asset.name,
    status: freshnessVerdict(ages, limits),
    isAhead: ahead,
    ageMs,
    clock: missing?.clock ?? (isByRow ? 'newest_row' : 'loaded'),
    last: last?.toISOString(),
    loadedAt: loaded?.toISOString(),
    newestRow: newest?.toISOString(),
    column: limits.column,
    warnAfterMs: limits.warnAfterMs,
    errorAfterMs: limits.errorAfterMs,
    message:
      missing?.message ??
      aheadInWords(limits, isFuture(newest) ? newest : undefined, ahead ? loaded : undefined),
  }
}

function aheadInWords({ column }: Freshness, newest: Date | undefined, loaded: Date | undefined) {
  if (newest !== undefined) return `the newest ${column} is in the future: ${shownTime(newest)}`
  if (loaded === undefined) return undefined
  return `it was loaded in the future (${shownTime(loaded)}): the clock of that machine was ahead`
}

function shownTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
