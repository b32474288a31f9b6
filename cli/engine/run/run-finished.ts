/**
 * Returns the last event of a run, preview, promotion or rollback, which contains enough to list the run
 * without reading its other events.
 */
import type { EventOf, RunVerdict } from '@svc/server/contract'
import { messageOf, SvcError } from '../errors.ts'
import type { Failure } from './asset-failure.ts'
import type { RunReport } from './events.ts'
import { type Causes, causesOf, reportVerdict, warningsTold } from './run-verdict.ts'

export function runFinished(
  report: RunReport,
  promoted: boolean,
  selector: string | null,
): EventOf<'run-finished'> {
  const { runId, kind, environment, status, seconds, finishedAt, failure } = report
  const warnings = warningsTold(report)
  const told = failure === undefined ? undefined : causeOf(failure)
  return {
    type: 'run-finished',
    run_id: runId,
    kind,
    environment,
    selector,
    status,
    promoted,
    verdict: reportVerdict(report),
    ...(warnings > 0 && { warnings }),
    ...causesIn(causesOf(report.assets, told)),
    failure: failure === undefined ? null : failureOf(failure),
    seconds,
    at: finishedAt,
  }
}

/** Returns the members of an event that tell them. */
function causesIn({ causes, more }: Causes): Pick<EventOf<'run-finished'>, 'causes' | 'more_causes'> {
  return { ...(causes.length > 0 && { causes: [...causes] }), ...(more > 0 && { more_causes: more }) }
}

function causeOf({ asset, message, place }: Pick<Failure, 'asset' | 'message' | 'place'>) {
  return { asset: asset ?? null, message, place: place ?? null }
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
  const failure = error instanceof SvcError ? error : { code: 'internal-error', message: messageOf(error) }
  return {
    type: 'run-finished',
    run_id: runId,
    kind,
    environment,
    selector,
    status: promoted ? 'deployed' : 'Failed',
    promoted,
    verdict: brokenOffVerdict(failure.code, promoted),
    causes: [causeOf(failure)],
    failure: failureOf(failure),
    seconds: (now.getTime() - startedAt.getTime()) / 1000,
    at: now.toISOString(),
  }
}

/** What broke off after the promotion left all of it live. */
function brokenOffVerdict(code: string, promoted: boolean): RunVerdict {
  if (promoted) return 'Deployed with warnings'
  return code === 'interrupted' ? 'Stopped' : 'Failed'
}
