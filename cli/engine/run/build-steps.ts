/**
 * Executes the steps of the build stage: each relation is created and recorded in one transaction. A failed
 * asset skips its descendants; all other assets are still built.
 */
import { SvcError } from '../errors.ts'
import type { BuildStep, LoadStep } from '../plan/step.ts'
import { mayBePersonal } from '../quality/personal-columns.ts'
import type { BuildOutcome, BuildResult, BuildTask, WarehouseSession } from '../warehouse/warehouse.ts'
import { assetFailure } from './asset-failure.ts'
import { type AssetBuild, assetBuild, type Building, type RelationMaker } from './building.ts'
import { placeAround } from './compile-around.ts'
import { loadMaker } from './load-step.ts'
import { queryMaker } from './query-step.ts'
import { failAsset } from './run-progress.ts'
import { executeSteps, type Queue } from './schedule.ts'

/** Returns the maker for the kind of step. */
function makerOf(step: BuildStep, building: Building): RelationMaker {
  const own = assetBuild(step.asset, building)
  return step.kind === 'load' ? loadMaker(step, own, building) : queryMaker(step, own, building)
}

/**
 * Stores the outcome and the build of every asset in the progress of `building`. Rejects only if the
 * warehouse itself fails.
 */
export async function executeBuilds(
  session: WarehouseSession,
  steps: readonly BuildStep[],
  building: Building,
  threads: number,
): Promise<void> {
  const { parallelBuilds } = session.capabilities
  await executeSteps(steps, {
    threads: Math.min(threads, parallelBuilds),
    signal: building.workspace.signal,
    execute: (step, queue) => executeBuild(session, step, queue, building),
  })
}

async function executeBuild(
  session: WarehouseSession,
  first: BuildStep,
  queue: Queue<BuildStep>,
  building: Building,
): Promise<void> {
  const begun = new Map<BuildTask, { readonly step: BuildStep; readonly maker: RelationMaker }>()

  /** Returns the task of this step, or of the next step whose task can be made. */
  function taskOf(step: BuildStep | undefined): BuildTask | undefined {
    for (let each = step; each !== undefined; each = queue.take()) {
      const maker = makerOf(each, building)
      const task = makeTask(each, maker, building)
      if (task === undefined) continue
      begun.set(task, { step: each, maker })
      return task
    }
    return undefined
  }

  function begunAs(task: BuildTask) {
    const known = begun.get(task)
    if (known === undefined) throw new Error(`unknown task "${task.id}"`)
    return known
  }

  const task = taskOf(first)
  if (task === undefined) return
  await session.build(task, {
    signal: building.workspace.signal,
    onStart: each => sayStarted(begunAs(each).step, building),
    record: (each, result) => begunAs(each).maker.record(result),
    onEnd(each, outcome) {
      const { step, maker } = begunAs(each)
      begun.delete(each)
      if (settle(step, maker, outcome, building)) queue.done(step)
    },
    ...(session.capabilities.sharedCommits ? { more: () => taskOf(queue.take()) } : {}),
  })
}

/** Returns undefined if the asset has failed. */
function makeTask(step: BuildStep, maker: RelationMaker, building: Building): BuildTask | undefined {
  if (building.progress.assets.has(step.asset)) return undefined
  const task = maker.task()
  if (!(task instanceof SvcError)) return task
  fail(step, maker, task, 0, building)
  return undefined
}

function sayStarted({ asset }: BuildStep, building: Building): void {
  const own = assetBuild(asset, building)
  if (own.begun) return
  own.begun = true
  building.emit({ type: 'build-started', asset })
}

/** Returns whether the step is done. */
function settle(step: BuildStep, maker: RelationMaker, outcome: BuildOutcome, building: Building): boolean {
  const own = assetBuild(step.asset, building)
  own.seconds += outcome.ok ? outcome.result.seconds : outcome.seconds
  const error = outcome.ok ? maker.refusal?.() : outcome.error
  if (!outcome.ok || error !== undefined) {
    fail(step, maker, error, own.seconds, building)
    return false
  }
  maker.built()
  if (step.kind === 'load') sayLoaded(step, outcome.result, own, building)
  return true
}

/** A load is told apart from the query that reads it: how long each took, nobody could tell from their sum. */
function sayLoaded(
  { asset, child }: LoadStep,
  { rows, seconds }: BuildResult,
  own: AssetBuild,
  { emit }: Building,
): void {
  own.loadSeconds += seconds
  if (child === undefined) emit({ type: 'load-finished', asset, rows: rows ?? null, seconds })
}

function fail(
  { asset: name }: BuildStep,
  { block }: RelationMaker,
  error: unknown,
  seconds: number,
  building: Building,
): void {
  const { workspace, progress, names } = building
  if (workspace.signal.aborted || progress.assets.has(name)) return
  const { asset, compiled, around } = assetBuild(name, building)
  const isQuery = block === 'transform'
  const failed = error instanceof SvcError ? error.around : undefined
  const hidesValues = isQuery ? building.personal.inMessages(name) : mayBePersonal(workspace.project, asset)
  const place =
    failed === undefined ? { path: [block], ...(isQuery && { compiled }) } : placeAround(failed, around)
  const failure = assetFailure(
    asset,
    error,
    place.path,
    workspace.environment.name,
    place.compiled,
    hidesValues,
  )
  failAsset(building, names, failure, seconds)
}
