/** `svc versions <asset>` and `svc status` (interface.md 4.4): the deployed versions, and what is live. */
import type { RunKind, Warning } from '@svc/server/contract'
import type { FreshnessVerdict } from '@svc/server/language'
import { type AssetState, assetStateOf } from '@svc/server/verdicts'
import { mostTargets, standingPublishWarnings, type TargetWarning } from '../artifacts/publishes.ts'
import { unknownAsset } from '../errors.ts'
import { freshnessIn } from '../quality/freshness-report.ts'
import { type LastOutcome, lastOutcomes, versionsByRun } from '../state/asset-versions.ts'
import { standingWarnings } from '../state/standing-warnings.ts'
import {
  emptyState,
  type HistoryAsset,
  type HistoryRecord,
  type PublishRecord,
  type StateSnapshot,
} from '../state/state.ts'
import type { WaitingLog } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openOptions, withReadSession } from './begin-run.ts'
import type { EmitEvent } from './events.ts'
import { goneAssets } from './gone-assets.ts'
import { findStopped } from './stopped-run.ts'

export interface AssetVersion {
  /** The definition hash; the first 12 hex digits are shown. */
  readonly hash: string
  /** An ISO 8601 UTC time. */
  readonly deployedAt: string
  readonly status: 'deployed' | 'Failed'
  readonly runId: string
  /** Undefined of a run that is older than all that are looked at. */
  readonly kind: RunKind | undefined
  readonly rows: number | undefined
  /** Whether the version is live now. */
  readonly active: boolean
}

export interface AssetStatus {
  readonly name: string
  /** The definition hash of the live build; undefined if the asset was never deployed. */
  readonly activeHash: string | undefined
  readonly deployedAt: string | undefined
  readonly runId: string | undefined
  /** The outcome of its newest run, as in the dashboard. */
  readonly status: 'deployed' | 'Failed' | undefined
  /** Why the newest run failed or skipped it; it then keeps its live build. */
  readonly because: string | undefined
  readonly rows: number | undefined
  /** The word for it, the same as on every page. */
  readonly state: AssetState
  readonly freshness: FreshnessVerdict | undefined
  /** What somebody has done to what is live. */
  readonly gone: string | undefined
  /** What is warned of in what it shows, and what its last publish to each of its targets has warned of. */
  readonly warnings: readonly (Warning | TargetWarning)[]
}

/**
 * Reads the state of the workspace's environment and closes the warehouse again; empty if there is no
 * warehouse yet.
 */
export function readEnvironment(
  workspace: Workspace,
  historyLimit = 20,
  emit?: EmitEvent,
): Promise<StateSnapshot> {
  const { stateName: name } = workspace.environment
  return withReadSession(workspace, openOptions(workspace, emit), async session =>
    session === undefined ? emptyState(name) : session.state.read(name, { historyLimit }),
  )
}

/**
 * Returns the versions, newest first: each run that gave the asset another build or failed to. Previews, and
 * runs that reused its build, are not versions. Throws SvcError `unknown-asset`.
 */
export async function versions(workspace: Workspace, asset: string): Promise<AssetVersion[]> {
  const state = await readEnvironment(workspace, runsLookedAt)
  const found = versionsOf(state, asset)
  if (found.length > 0 || workspace.project.byName.has(asset)) return found
  throw unknownAsset(asset)
}

const runsLookedAt = 200

function versionsOf(state: StateSnapshot, name: string): AssetVersion[] {
  const made = versionsByRun(state.history)
  const found = state.history.flatMap(run => {
    const { deployed, failed } = made.get(run.run_id) ?? {}
    const asset = run.assets.find(each => each.name === name)
    if (asset === undefined) return []
    if (failed?.has(name)) return [versionOf(run, asset, 'Failed')]
    return deployed?.has(name) ? [versionOf(run, asset, 'deployed')] : []
  })
  return withLive(found, state, name)
}

function versionOf(run: HistoryRecord, asset: HistoryAsset, status: AssetVersion['status']): AssetVersion {
  return {
    hash: asset.definition_hash,
    deployedAt: run.finished_at ?? run.started_at,
    status,
    runId: run.run_id,
    kind: run.kind,
    rows: status === 'deployed' ? (asset.rows ?? undefined) : undefined,
    active: false,
  }
}

/** The live version may be older than all runs that are looked at. */
function withLive(found: readonly AssetVersion[], state: StateSnapshot, name: string): AssetVersion[] {
  const live = state.live.get(name)
  if (live === undefined) return [...found]
  const active = found.findIndex(({ status }) => status === 'deployed')
  if (active >= 0) return found.map((version, position) => ({ ...version, active: position === active }))
  const { definition_hash: hash, deployed_at: deployedAt, run_id: runId, build_key } = live
  const rows = state.builds.get(build_key)?.rows ?? undefined
  return [...found, { hash, deployedAt, status: 'deployed', runId, kind: undefined, rows, active: true }]
}

/**
 * Returns the project's assets in their order, then live assets without a file. Reports a run that died, and what waits
 * beside the warehouse's file.
 */
export async function statusOf(
  workspace: Workspace,
  emit: EmitEvent = () => {},
  onLog: (log: WaitingLog) => void = () => {},
): Promise<AssetStatus[]> {
  const { state, published, fresh, gone } = await readForStatus(workspace, onLog)
  for (const event of await findStopped(workspace, state)) emit(event)
  const { project } = workspace
  const removed = [...state.live.keys()].filter(name => !project.byName.has(name))
  const names = [...project.order, ...removed]
  const latest = lastOutcomes(state.history, names)
  const standing = standingWarnings(state)
  const sent = standingPublishWarnings(project, published)
  return names.map(name => {
    const last = latest.get(name)
    const live = state.live.get(name)
    const warnings = [...(standing.get(name) ?? []), ...(sent.get(name) ?? [])]
    const about = { freshness: fresh.get(name), gone: gone.get(name), warnings }
    return {
      name,
      ...about,
      state: stateIn(last?.status, live !== undefined, about),
      activeHash: live?.definition_hash,
      deployedAt: live?.deployed_at,
      runId: live?.run_id,
      status: statusIn(last?.status, live !== undefined),
      because: last?.status === 'deployed' ? undefined : last?.asset.because,
      rows: live === undefined ? undefined : (state.builds.get(live.build_key)?.rows ?? undefined),
    }
  })
}

/** An asset that a rollback took away is not deployed, whatever its last run was. */
function statusIn(latest: LastOutcome['status'] | undefined, isLive: boolean): AssetStatus['status'] {
  if (latest === 'Failed' || latest === 'skipped') return 'Failed'
  return isLive ? 'deployed' : undefined
}

type Found = Pick<AssetStatus, 'freshness' | 'gone' | 'warnings'>

function stateIn(
  last: LastOutcome['status'] | undefined,
  isLive: boolean,
  { freshness, gone, warnings }: Found,
): AssetState {
  // A warning of a publish is about what was sent, and stands at the target.
  const own = warnings.filter(each => !('target' in each))
  return assetStateOf({
    last: last ?? null,
    isLive,
    errors: 0,
    isGone: gone !== undefined,
    freshness: freshness ?? null,
    warnings: own.length,
  })
}

interface ForStatus {
  readonly state: StateSnapshot
  readonly published: readonly PublishRecord[]
  readonly fresh: ReadonlyMap<string, FreshnessVerdict>
  readonly gone: ReadonlyMap<string, string>
}

async function readForStatus(workspace: Workspace, onLog: (log: WaitingLog) => void): Promise<ForStatus> {
  const { stateName: environment } = workspace.environment
  return withReadSession(workspace, { ...openOptions(workspace), onLog }, async session => {
    if (session === undefined)
      return { state: emptyState(environment), published: [], fresh: new Map(), gone: new Map() }
    const published = await session.state.publishes({ environment, isLast: true }, mostTargets)
    const state = await session.state.read(environment, { historyLimit: 20 })
    const rows = await freshnessIn(session, state, workspace)
    const fresh = new Map(
      rows.filter(row => state.live.has(row.asset)).map(({ asset, status }) => [asset, status]),
    )
    return { state, published, fresh, gone: await goneAssets(session, state) }
  })
}
