/**
 * Returns the last event of a run, preview, promotion or rollback, which contains enough to list the run
 * without reading its other events.
 */
import type { EventOf } from '@svc/server/contract'
import { messageOf, SvcError } from '../errors.ts'
import type { Failure } from './asset-failure.ts'
import type { RunReport } from './events.ts'

export function runFinished(
  { runId, kind, environment, status, seconds, finishedAt, failure, warnings }: RunReport,
  promoted: boolean,
  selector: string | null,
): EventOf<'run-finished'> {
  return {
    type: 'run-finished',
    run_id: runId,
    kind,
    environment,
    selector,
    status,
    promoted,
    ...(warnings.length > 0 && { warnings: warnings.length }),
    failure: failure === undefined ? null : failureOf(failure),
    seconds,
    at: finishedAt,
  }
}

type Failed = Pick<Failure, 'code' | 'message' | 'hint' | 'asset' | 'place'>

function failureOf({ code, message, hint, asset, place }: Failed) {
  return { code, message, ...(hint !== undefined && { hint }), asset: asset ?? null, place: place ?? null }
}

interface BrokenOff {
  readonly selector: string | null
  readonly error: unknown
  readonly promoted: boolean
  readonly startedAt: Date
  readonly now: Date
}

/** Returns the last event of a run that ended with an error instead of a report: it was refused, interrupted, or broke off. */
export function runBrokenOff(
  { runId, kind, environment }: Pick<RunReport, 'runId' | 'kind' | 'environment'>,
  { selector, error, promoted, startedAt, now }: BrokenOff,
): EventOf<'run-finished'> {
  return {
    type: 'run-finished',
    run_id: runId,
    kind,
    environment,
    selector,
    status: promoted ? 'deployed' : 'Failed',
    promoted,
    failure: failureOf(
      error instanceof SvcError ? error : { code: 'internal-error', message: messageOf(error) },
    ),
    seconds: (now.getTime() - startedAt.getTime()) / 1000,
    at: now.toISOString(),
  }
}
