/**
 * What would have been heard of a run whose process died, by its log: a run is reported when it ends, so that nobody was told
 * of this one. It is told by the run that finds it.
 */
import type { EventOf, RunEvent } from '@svc/server/contract'
import { jsonLines } from '../artifacts/read-file.ts'
import { readLog } from '../log/log-files.ts'
import type { RunReport } from '../run/events.ts'
import { type Heard, listen } from './heard.ts'

type Recovered = EventOf<'recovered'>
type Line = RunEvent & { readonly at: string }

/**
 * @param report of the run that found it, with what is live now
 * @returns undefined where no job is known that died, or its end has been heard
 */
export function heardOfStopped(
  root: string,
  found: Recovered,
  { now, report }: { readonly now: Date; readonly report: RunReport | undefined },
): Heard | undefined {
  const { kind, stopped_run_id: runId, environment } = found
  const lines = jsonLines<Line>(readLog(root, runId) ?? '').filter(({ at }) => typeof at === 'string')
  const start = lines.find(line => line.type === 'run-started')
  if (kind === 'gc' || (kind === 'publish' && start === undefined)) return undefined
  // Another machine has the log: its last sign of life is all that is known of it.
  const seen = new Date(now.getTime() - found.seconds_ago * 1000).toISOString()
  let at = start?.at ?? seen
  const run = listen(() => new Date(at))
  for (const line of lines) {
    at = line.at
    // The command that found it has given its log an end, which nobody was told.
    if (line.type !== 'run-finished' || line.verdict !== 'Killed') run.hear(line)
  }
  if (run.heard() !== undefined) return undefined
  const wasPromoted = found.production === 'promoted'
  run.hear({
    type: 'run-finished',
    run_id: runId,
    at,
    kind,
    environment,
    selector: start?.selector ?? null,
    status: wasPromoted ? 'deployed' : 'Failed',
    promoted: wasPromoted,
    failure: null,
    seconds: 0,
  })
  if (wasPromoted && report !== undefined) run.report({ ...report, runId, moved: [] })
  const heard = run.heard()
  return heard === undefined ? undefined : { ...heard, died: !wasPromoted }
}
