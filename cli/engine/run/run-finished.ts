/**
 * Returns the last event of a run, preview, promotion or rollback, which contains enough to list the run
 * without reading its other events.
 */
import type { EventOf } from '@svc/server/contract'
import { SvcError } from '../errors.ts'
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

/** Returns the last event of a run that ended with an error instead of a report: it was refused, interrupted, or broke off. */
export function runBrokenOff(
  { runId, kind, environment }: Pick<RunReport, 'runId' | 'kind' | 'environment'>,
  { selector, error, promoted, startedAt, now }: BrokenOff,
): EventOf<'run-finished'> {
  const known = error instanceof SvcError ? error : undefined
  return {
    type: 'run-finished',
    run_id: runId,
    kind,
    environment,
    selector,
    status: promoted ? 'deployed' : 'Failed',
    promoted,
    failure: {
      code: known?.code ?? 'internal-error',
      message: error instanceof Error ? error.message : String(error),
      asset: known?.asset ?? null,
      place: known?.place ?? null,
    },
    seconds: (now.getTime() - startedAt.getTime()) / 1000,
    at: now.toISOString(),
  }
}

interface BrokenOff {
  readonly selector: string | null
  readonly error: unknown
  readonly promoted: boolean
  readonly startedAt: Date
  readonly now: Date
}
