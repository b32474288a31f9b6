/** The build stage of a run: reuses existing builds and creates the others in the run's green schema. */
import type { FetchedSource } from '../ingest/source.ts'
import type { StepPlan } from '../plan/plan-steps.ts'
import { isBuildStep, isQueryStep, type ReuseStep, stepsOf } from '../plan/step.ts'
import { personalColumns } from '../quality/personal-columns.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { executeBuilds } from './build-steps.ts'
import type { Building } from './building.ts'
import { greenSchema } from './green-schema.ts'
import { sayPending } from './pending.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { noteViewTexts } from './view-texts.ts'

/**
 * Stores the outcome of every asset in `run.progress`. Returns false if there was nothing to build and no
 * green schema was created.
 */
export async function buildStage(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  { steps }: StepPlan,
  fetched: ReadonlyMap<string, FetchedSource>,
): Promise<boolean> {
  const { workspace, request, emit } = run
  const building: Building = {
    ...run,
    ...prepared,
    dialect: session.dialect,
    schema: greenSchema(run.runId),
    fetched,
    personal: personalColumns(workspace.project, prepared.analysis),
    assets: new Map(),
  }
  const builds = steps.filter(isQueryStep).map(({ asset }) => asset)
  emit({ type: 'stage', stage: 'build', items: builds.length })
  sayPending(workspace.project, builds, emit)
  if (builds.length > 0) await session.createSchema(building.schema)
  for (const step of stepsOf(steps, 'reuse')) reuse(step, building)
  await executeBuilds(session, steps.filter(isBuildStep), building, request.threads ?? workspace.world.cores)
  await noteViewTexts(session, builds, building)
  return builds.length > 0
}

function reuse({ asset, key }: ReuseStep, { state, progress, emit }: Building): void {
  const build = state.builds.get(key)
  if (build === undefined) throw new Error(`no build "${key}" to reuse`)
  const isLive = state.live.get(asset)?.build_key === key
  const status = isLive ? 'unchanged' : 'taken_over'
  progress.assets.set(asset, { status, rows: build.rows ?? undefined, seconds: 0, build })
  emit({ type: 'asset-reused', asset, ...(!isLive && { made_by: build.run_id, rows: build.rows }) })
}
