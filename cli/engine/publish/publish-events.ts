/** The first and the last event of a publish, which logs and dashboards know it by. */
import type { EventOf } from '@svc/server/contract'
import { SvcError } from '../errors.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Attempt } from './attempt.ts'
import { publishVerdict } from './publish-verdict.ts'

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
  const { branch } = workspace.environment
  const ofBranch = branch !== undefined && { branch }
  return {
    ...{ type: 'run-started', run_id: attempt.runId, at },
    ...about(attempt, workspace),
    ...ofBranch,
    ...nothing,
  }
}

export function finished(attempt: Attempt, workspace: Workspace, error?: unknown): EventOf<'run-finished'> {
  const failure = error === undefined ? null : failureOf(error, attempt.to.asset, workspace)
  const warnings = attempt.warnings.length
  const status = error === undefined ? 'published' : 'Failed'
  return {
    type: 'run-finished',
    run_id: attempt.runId,
    at: workspace.world.now().toISOString(),
    ...about(attempt, workspace),
    status: error === undefined ? 'deployed' : 'Failed',
    promoted: false,
    verdict: publishVerdict({ ...attempt.record, status }, failure?.code === 'interrupted'),
    ...(warnings > 0 && { warnings }),
    seconds: attempt.seconds,
    failure,
  }
}

function failureOf(
  error: unknown,
  asset: string,
  { environment }: Workspace,
): EventOf<'run-finished'>['failure'] {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof SvcError)) return { code: 'internal', message, asset, place: null }
  const { code, hint, place = null } = error.inEnvironment(environment.name)
  return { code, message, ...(hint !== undefined && { hint }), asset, place }
}
