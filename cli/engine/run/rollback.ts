/**
 * `svc rollback` (interface.md 3.1, decisions 2): creates a new generation with the previous map, so that a
 * second rollback undoes it. If assets are named, only they return to their previous build. Previews and
 * failed runs do not count.
 */
import type { Workspace } from '../workspace/workspace.ts'
import { openState, withLease, withSession } from './begin-run.ts'
import { deployMap } from './deploy-map.ts'
import type { EmitEvent, RunReport } from './events.ts'
import { previousBuilds, previousMap } from './previous-maps.ts'

export interface RollbackRequest {
  /** Undefined means the complete map of the previous generation. */
  readonly names?: readonly string[]
  /** The run id of the deployment whose map becomes live again; cannot be combined with `names`. */
  readonly to?: string
}

/** In the report, `leftBehind` lists live assets whose builds were made from what was rolled back. */
export async function rollback(
  workspace: Workspace,
  request: RollbackRequest,
  emit: EmitEvent,
): Promise<RunReport> {
  const startedAt = workspace.world.now()
  const runId = workspace.world.newRunId()
  const { names, to } = request
  const action = { runId, kind: 'rollback', selector: names?.join(',') ?? null, emit } as const
  return withLease(workspace, action, held =>
    withSession(workspace, held.warehouse, held.emit, async session => {
      const state = await openState(session, workspace, held)
      const map =
        names === undefined
          ? await previousMap(session, state, to)
          : await previousBuilds(session, state, names, workspace)
      return deployMap(session, workspace, state, { ...action, startedAt, map }, held.emit)
    }),
  )
}
