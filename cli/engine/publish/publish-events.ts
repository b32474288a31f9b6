/** The first and the last event of a publish, which logs and dashboards know it by. */
import type { EventOf } from '@svc/server/contract'
import { errorCodes, SvcError } from '../errors.ts'
import type { Failure } from '../run/asset-failure.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Attempt } from './attempt.ts'

type About = Pick<EventOf<'run-started'>, 'kind' | 'environment' | 'selector'>

function about({ to }: Attempt, { environment }: Workspace): About {
  return { kind: 'publish', environment: environment.name, selector: selectorOf(to) }
}

export function selectorOf({ asset, target }: Attempt['to']): string {
  return `${asset} to ${target}`
}

export function started(attempt: Attempt, workspace: Workspace): EventOf<'run-started'> {
  const at = attempt.startedAt.toISOString()
  const nothing = { assets: 1, to_fetch: 0, to_build: 0 }
  return { type: 'run-started', run_id: attempt.runId, at, ...about(attempt, workspace), ...nothing }
}

export function finished(attempt: Attempt, workspace: Workspace, error?: unknown): EventOf<'run-finished'> {
  const failure = error === undefined ? undefined : failureOf(error)
  return {
    type: 'run-finished',
    run_id: attempt.runId,
    at: workspace.world.now().toISOString(),
    ...about(attempt, workspace),
    status: failure === undefined ? 'deployed' : 'Failed',
    promoted: false,
    seconds: attempt.seconds,
    failure:
      failure === undefined
        ? null
        : {
            code: failure.code,
            message: failure.message,
            ...(failure.hint !== undefined && { hint: failure.hint }),
            asset: attempt.to.asset,
            place: failure.place ?? null,
          },
  }
}

function failureOf(error: unknown): Failure {
  const known = error instanceof SvcError ? error : undefined
  return {
    code: known?.code ?? 'internal',
    message: error instanceof Error ? error.message : String(error),
    ...(known?.hint !== undefined && { hint: known.hint }),
    ...(known?.place !== undefined && { place: known.place }),
    exitCode: known === undefined ? 70 : errorCodes[known.code],
  }
}
