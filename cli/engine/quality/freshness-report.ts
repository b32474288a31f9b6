/**
 * `svc freshness` (interface.md 3.2): compares the age of each asset that has a `freshness` block with its
 * limits. Without a `column` the age is the time since the last successful run that built or verified the
 * asset; with one, the age of the newest value in the live build.
 */
import type { Asset, Freshness } from '@svc/server/language'
import { openOptions } from '../run/begin-run.ts'
import { readLastRuns } from '../state/last-runs.ts'
import { emptyState, type StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface FreshnessRow {
  readonly asset: string
  readonly status: 'OK' | 'WARN' | 'ERROR'
  /** Undefined if the asset was never deployed, or the column has no value. */
  readonly ageMs: number | undefined
  /** ISO 8601 UTC time of the last run, or the newest value of `column`. */
  readonly last: string | undefined
  readonly column: string | undefined
  readonly warnAfterMs: number | undefined
  readonly errorAfterMs: number | undefined
  /** Why there is no age, or the error of the query. */
  readonly message: string | undefined
}

/** Returns the rows in the project's order; assets without a `freshness` block are absent. */
export async function freshnessReport(workspace: Workspace): Promise<FreshnessRow[]> {
  const { project, environment, world } = workspace
  const assets = project.order.flatMap(name => project.byName.get(name) ?? [])
  const watched = assets.filter(({ definition }) => definition.freshness !== undefined)
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open(
    'read',
    openOptions(workspace, () => {}),
  )
  try {
    const state =
      session === undefined
        ? emptyState(environment.stateName)
        : await session.state.read(environment.stateName)
    // Without a deployment there is nothing to query, and perhaps no table.
    const isDeployed = session !== undefined && state.live.size > 0
    const runs = isDeployed
      ? await readLastRuns(session.state, environment.stateName)
      : new Map<string, Date>()
    const rows: FreshnessRow[] = []
    for (const asset of watched) {
      const newest = await newestOf(session, state, asset, runs)
      rows.push(rowOf(asset, newest, world.now()))
    }
    return rows
  } finally {
    await session?.close()
  }
}

type Newest = { readonly at: Date } | { readonly missing: string }

async function newestOf(
  session: WarehouseSession | undefined,
  state: StateSnapshot,
  asset: Asset,
  runs: ReadonlyMap<string, Date>,
): Promise<Newest> {
  const build = state.builds.get(state.live.get(asset.name)?.build_key ?? '')
  if (session === undefined || build === undefined)
    return { missing: `never deployed to ${state.environment}` }
  const column = asset.definition.freshness?.column
  if (column === undefined) {
    const at = runs.get(asset.name)
    return at === undefined ? { missing: 'no successful run in the history' } : { at }
  }
  const { dialect } = session
  const newest = dialect.epochSeconds(`max(${dialect.identifier(column)})`)
  try {
    const [row] = await session.query(`SELECT ${newest} AS newest FROM ${dialect.relation(build.relation)}`)
    if (row?.newest === null || row?.newest === undefined) return { missing: `no row has a ${column}` }
    return { at: new Date(Number(row.newest) * 1000) }
  } catch (error) {
    return { missing: error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error) }
  }
}

function rowOf(asset: Asset, newest: Newest, now: Date): FreshnessRow {
  const limits: Freshness = asset.definition.freshness ?? {}
  const ageMs = 'at' in newest ? now.getTime() - newest.at.getTime() : undefined
  return {
    asset: asset.name,
    status: freshnessStatus(ageMs, limits),
    ageMs,
    last: 'at' in newest ? newest.at.toISOString() : undefined,
    column: limits.column,
    warnAfterMs: limits.warnAfterMs,
    errorAfterMs: limits.errorAfterMs,
    message: 'missing' in newest ? newest.missing : undefined,
  }
}

/**
 * Returns ERROR above `error_after` and WARN above `warn_after`; an asset without an age is above any limit.
 */
export function freshnessStatus(ageMs: number | undefined, limits: Freshness): FreshnessRow['status'] {
  const age = ageMs ?? Number.POSITIVE_INFINITY
  if (limits.errorAfterMs !== undefined && age > limits.errorAfterMs) return 'ERROR'
  if (limits.warnAfterMs !== undefined && age > limits.warnAfterMs) return 'WARN'
  return 'OK'
}
