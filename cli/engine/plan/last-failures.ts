/** Which assets failed in the last run that tried them: a plan that says "nothing to do" after a bad night would be half the truth. */
import type { HistoryRecord } from '../state/state.ts'
import type { LastFailure } from './plan.ts'

/** In the order of `names`. Of a run before all of them nothing is read: its list of assets is long. */
export function lastFailures(history: readonly HistoryRecord[], names: readonly string[]): LastFailure[] {
  const waiting = new Set(names)
  const found = new Map<string, LastFailure>()
  for (const run of history) {
    if (waiting.size === 0) break
    if (run.kind === 'preview' || run.status === 'running') continue
    for (const { name, status, because = null } of run.assets) {
      const hasFailed = status === 'failed' || status === 'test_failed'
      // What a run left aside says nothing of it.
      if (!waiting.has(name) || status === 'kept' || status === 'skipped') continue
      waiting.delete(name)
      const finishedAt = run.finished_at ?? run.started_at
      if (hasFailed) found.set(name, { asset: name, runId: run.run_id, finishedAt, because })
    }
  }
  return names.flatMap(name => found.get(name) ?? [])
}
