/**
 * `svc promote <run>` (decisions 2): makes a preview live, unless production has changed since it was made.
 */
import type { Warning } from '@svc/server/contract'
import { type CommandLine, svcIn } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { readRunMaps } from '../state/reachable-builds.ts'
import type { RunSummary, StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openState, withLease, withSession } from './begin-run.ts'
import { collectAll, tellCollected } from './collect-all.ts'
import { deployMap } from './deploy-map.ts'
import type { EmitEvent, RunReport } from './events.ts'
import { buildsOf } from './previous-maps.ts'
import type { MayReplace } from './replaced-views.ts'
import { keepWarnings } from './warnings.ts'

/** Throws SvcError `unknown-run`, `wrong-usage` (not a preview, or a failed one), `promotion-stale`. */
export async function promoteRun(
  workspace: Workspace,
  previewId: string,
  emit: EmitEvent,
  mayReplace?: MayReplace,
): Promise<RunReport> {
  const startedAt = workspace.world.now()
  const runId = workspace.world.newRunId()
  const action = { runId, kind: 'promote', selector: null, emit } as const
  return withLease(workspace, action, held =>
    withSession(workspace, held.warehouse, held.emit, async session => {
      const warnings: Warning[] = []
      const emit = keepWarnings(warnings, svcIn(workspace.environment.name), held.emit)
      const state = await openState(session, workspace, { ...held, emit })
      const preview = await findPreview(session, state, previewId)
      const maps = await readRunMaps(session.state, [previewId])
      const map = buildsOf(
        state,
        maps.get(previewId) ?? new Map(),
        previewId,
        svc => `Preview again, so that it is built anew: ${svc('preview')}.`,
      )
      const { selector } = preview
      const { assertHeld } = held
      const again = (svc: CommandLine) => svc(`promote ${previewId} --replace-views`)
      const made = { map, warnings: [...(preview.warnings ?? []), ...warnings], mayReplace, again }
      const change = { runId, kind: 'promote', selector, startedAt, assertHeld, ...made } as const
      const report = await deployMap(session, workspace, state, change, held.emit)
      held.emit({ type: 'stage', stage: 'collect', items: 0 })
      const { warehouse } = held
      tellCollected(await collectAll({ session, workspace, warehouse, runId }), held.emit)
      return report
    }),
  )
}

async function findPreview(
  session: WarehouseSession,
  state: StateSnapshot,
  previewId: string,
): Promise<RunSummary> {
  const run = (await session.state.runs()).find(
    ({ run_id, environment }) => run_id === previewId && environment === state.environment,
  )
  if (run === undefined) {
    throw new SvcError('unknown-run', `no run "${previewId}" in ${state.environment}`, {
      hint: svc => `${svc('preview')} says the id of its run at the end.`,
    })
  }
  if (run.kind !== 'preview') {
    throw new SvcError('wrong-usage', `run ${previewId} is not a preview but a ${run.kind}`, {
      hint: svc => `${svc('preview')} says the id of its run at the end.`,
    })
  }
  if (run.status !== 'deployed') {
    throw new SvcError('wrong-usage', `preview ${previewId} failed and cannot be promoted`, {
      hint: 'Fix what failed and preview again.',
    })
  }
  if (run.from_generation === state.generation) return run
  throw new SvcError(
    'promotion-stale',
    `${state.environment} was changed since preview ${previewId}: it had deployment ${run.from_generation} and has ${state.generation}`,
    { hint: 'Preview again, check the result, and promote that preview.' },
  )
}
