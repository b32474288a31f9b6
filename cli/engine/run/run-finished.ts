/**
 * Returns the last event of a run, preview, promotion or rollback, which contains enough to list the run
 * without reading its other events.
 */
import type { EventOf } from '@svc/server/contract'
import type { RunReport } from './events.ts'

export function runFinished(
  report: RunReport,
  promoted: boolean,
  selector: string | null,
): EventOf<'run-finished'> {
  const { runId, kind, environment, status, seconds, finishedAt, failure } = report
  return {
    type: 'run-finished',
    run_id: runId,
    kind,
    environment,
    selector,
    status,
    promoted,
    failure:
      failure === undefined
        ? null
        : {
            code: failure.code,
            message: failure.message,
            asset: failure.asset ?? null,
            place: failure.place ?? null,
          },
    seconds,
    at: finishedAt,
  }
}
