/**
 * `svc retry`: repeats the last failed run with its options. Its builds and loads are reused, so that only
 * what failed or was skipped is fetched and built again.
 */
import { rawOf } from '../plan/last-load.ts'
import { isVerified } from '../state/asset-versions.ts'
import type { HistoryRecord, StateSnapshot } from '../state/state.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type JournalOfRun, readJournal, workFolder } from './journal.ts'
import type { RunRequest } from './run.ts'
import { readEnvironment } from './versions.ts'

export interface RetryPlan {
  readonly run: HistoryRecord
  readonly request: RunRequest
  /**
   * The assets that failed, whose tests failed, or that were skipped; empty if the process died, because this
   * is then unknown.
   */
  readonly again: readonly string[]
  /** The number of assets whose builds are reused. */
  readonly taken: number
}

export interface NothingToRetry {
  /** The last run of the environment; undefined if there was none. */
  readonly last: HistoryRecord | undefined
}

/** Returns what a retry would do now. */
export async function planRetry(workspace: Workspace): Promise<RetryPlan | NothingToRetry> {
  const state = await readEnvironment(workspace)
  const last = lastAttempt(state)
  if (last === undefined || !hasFailed(last)) return { last }
  const journal = readJournal(await workFolder(workspace))
  const own = last.assets.filter(({ status }) => status !== 'kept')
  const again = own.filter(({ status }) => ['failed', 'skipped', 'test_failed'].includes(status))
  const loads = loadsOf(state, last)
  return {
    run: last,
    request: requestOf(last, journal, loads),
    again: again.map(({ name }) => name),
    taken: own.length - again.length,
  }
}

/** A run that was refused did nothing: one that failed before it, which it may have met at work, is the one to repeat. */
function lastAttempt({ history }: StateSnapshot): HistoryRecord | undefined {
  const runs = history.filter(({ kind }) => kind === 'run' || kind === 'preview')
  const worked = runs.find(({ refused }) => refused !== true)
  return worked !== undefined && hasFailed(worked) ? worked : runs[0]
}

function hasFailed({ status, assets }: HistoryRecord): boolean {
  return status !== 'deployed' || assets.some(({ because }) => because !== undefined)
}

/**
 * Returns the request of the run. Without its journal (in another clone, or if `.svc` was deleted) it has the
 * default options.
 */
function requestOf(
  run: HistoryRecord,
  journal: JournalOfRun | undefined,
  loads: ReadonlyMap<string, string>,
): RunRequest {
  const options = journal?.runId === run.run_id ? journal.options : { noIngest: false, allTests: false }
  const kind = run.kind === 'preview' ? 'preview' : 'run'
  return { kind, selector: run.selector ?? undefined, ...options, loads }
}

/** Returns the raw build keys of what the run built or verified, by asset. */
function loadsOf(state: StateSnapshot, run: HistoryRecord): Map<string, string> {
  const loads = new Map<string, string>()
  for (const { name, build_key, status } of run.assets) {
    if (build_key === null || !isVerified({ status })) continue
    const raw = rawOf(state, build_key)
    if (raw !== undefined) loads.set(name, raw.build_key)
  }
  return loads
}
