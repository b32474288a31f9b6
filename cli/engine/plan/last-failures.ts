/** Which assets failed in the last run that tried them: a plan that says "nothing to do" after a bad night would be half the truth. */
import { hasFailed } from '../state/asset-versions.ts'
import type { HistoryRecord } from '../state/state.ts'
import type { LastFailure } from './plan.ts'

/**
 * In the order of `names`. The list of assets of a run is long: it is read only if the run, or one before it, has an error, and
 * not of runs before all of `names` were found.
 */
export function lastFailures(history: readonly HistoryRecord[], names: readonly string[]): LastFailure[] {
  const waiting = new Set(names)
  const found = new Map<string, LastFailure>()
  const lastError = history.findLastIndex(({ status, error }) => status === 'Failed' || error !== null)
  for (const run of history.slice(0, lastError + 1)) {
    if (waiting.size === 0) break
    if (run.kind === 'preview' || run.status === 'running') continue
    for (const asset of run.assets) {
      const { name, status, because = null } = asset
      // What a run left aside says nothing of it.
      if (!waiting.has(name) || status === 'kept' || status === 'skipped') continue
      waiting.delete(name)
      const finishedAt = run.finished_at ?? run.started_at
      if (hasFailed(asset)) found.set(name, { asset: name, runId: run.run_id, finishedAt, because })
    }
  }
  return names.flatMap(name => found.get(name) ?? [])
}
