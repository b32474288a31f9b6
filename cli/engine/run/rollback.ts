/**
 * `svc rollback` (interface.md 3.1, decisions 2): creates a new generation with the previous map, so that a
 * second rollback undoes it. If assets are named, only they return to their previous build. Previews and
 * failed runs do not count.
 */
import type { Warning } from '@svc/server/contract'
import { type CommandLine, commandWords, svcIn } from '@svc/server/language'
import type { Workspace } from '../workspace/workspace.ts'
import { openState, withLease, withSession } from './begin-run.ts'
import { deployMap } from './deploy-map.ts'
import type { EmitEvent, RunReport } from './events.ts'
import { type RollbackRequest, rollbackMap } from './previous-maps.ts'
import type { MayReplace } from './replaced-views.ts'
import { keepWarnings } from './warnings.ts'

/** In the report, `leftBehind` lists live assets whose builds were made from what was rolled back. */
export async function rollback(
  workspace: Workspace,
  request: RollbackRequest,
  emit: EmitEvent,
  mayReplace?: MayReplace,
): Promise<RunReport> {
  const startedAt = workspace.world.now()
  const runId = workspace.world.newRunId()
  const action = { runId, kind: 'rollback', selector: request.names?.join(',') ?? null, emit } as const
  return withLease(workspace, action, held =>
    withSession(workspace, held.warehouse, held.emit, async session => {
      const { assertHeld } = held
      const warnings: Warning[] = []
      const emit = keepWarnings(warnings, svcIn(workspace.environment.name), held.emit)
      const state = await openState(session, workspace, { ...held, emit })
      const map = await rollbackMap(session, state, workspace, request)
      const words = [...(request.names ?? []), ...(request.to === undefined ? [] : ['--to', request.to])]
      const again = (svc: CommandLine) => svc(`rollback ${commandWords(...words, '--replace-views')}`)
      const change = { ...action, startedAt, map, assertHeld, warnings, mayReplace, again }
      return deployMap(session, workspace, state, change, held.emit)
    }),
  )
}
