/** The stages of a run that need the warehouse, after the fetch: build, test, promote, collect garbage. */
import type { FileLayout, RawTable, SourceLayouts, SourceShapes } from '@svc/server/language'
import type { FetchedSource } from '../ingest/source.ts'
import { pinnedLoad, tablesOfLoad, withKnown } from '../plan/last-load.ts'
import { type PromoteStep, stepsOf } from '../plan/step.ts'
import { readLiveTimes } from '../quality/live-times.ts'
import { unitResults } from '../quality/unit-results.ts'
import { replayRejects, type StateChange } from '../state/changes.ts'
import type { BuildRecord, HistoryRecord, StateSnapshot } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { buildStage } from './build-stage.ts'
import { checkRunPolicies } from './check-policies.ts'
import type { RunReport } from './events.ts'
import { greenSchema, showReused } from './green-schema.ts'
import { failWaiting } from './judge-sources.ts'
import { keepFailed } from './keep-failed.ts'
import { markChanges, newMarks } from './mark-changes.ts'
import type { TestOutcome } from './planned-tests.ts'
import type { PreparedRun } from './prepare-run.ts'
import { privacyStage } from './privacy-stage.ts'
import { promotionOfPassed } from './promote-passed.ts'
import { collectStage, promoteStage } from './promote-stage.ts'
import { replayedRejects } from './replayed-rejects.ts'
import { promotesPassed, type Run } from './run.ts'
import { endUnpromoted } from './run-history.ts'
import type { RunProgress } from './run-progress.ts'
import { newBuilds, newLoads, recordChanges } from './run-records.ts'
import { runReport } from './run-report.ts'
import { testWarnings } from './run-verdict.ts'
import { stepsAfterFetch } from './steps-after-fetch.ts'
import { testStage } from './test-stage.ts'
import { refuseNewWarnings } from './warnings.ts'
import { lockShapes } from './write-schema-lock.ts'

export async function executeStages(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
  hasBuilt = false,
): Promise<RunReport> {
  const { workspace, progress } = run
  failWaiting(run, prepared)
  const planned = stepsAfterFetch(run, prepared, fetched)
  const hasGreen = (await buildStage(session, run, prepared, planned, fetched)) || hasBuilt
  workspace.signal.throwIfAborted()
  const builds = newBuilds(prepared, progress)
  const tested = await testStage(session, run, prepared, planned, builds)
  const scanned = await privacyStage(session, run, prepared, fetched, builds, tested)
  const marks = await newMarks(session.state, workspace, prepared.analysis, ownBuilds(prepared, progress))
  await checkRunPolicies(session.state, run, prepared, builds, marks)
  refuseNewWarnings(run, prepared, scanned.results)
  const keeps = progress.failure !== undefined && promotesPassed(run)
  const tests = keeps ? await keepFailed(session, run, prepared, scanned) : scanned
  const units = unitResults(workspace, prepared.analysis, prepared.names)
  progress.testWarnings = testWarnings([...units, ...tests.results])
  const changes = [...recordChanges(run, prepared, fetched, tests.records), ...markChanges(marks)]
  const built = { prepared, fetched, changes, tests, hasGreen }
  const promotion = keeps ? promotionOfPassed(run, prepared) : stepsOf(planned.steps, 'promote')[0]
  if (promotion === undefined || (progress.failure !== undefined && !keeps))
    return endWithoutPromotion(session, run, built)
  return promoteBuilt(session, run, { ...built, promotion })
}

interface Built {
  readonly prepared: PreparedRun
  readonly fetched: ReadonlyMap<string, FetchedSource>
  /** What is committed at the end. */
  readonly changes: StateChange[]
  readonly tests: TestOutcome
  /** Whether the run has a green schema. */
  readonly hasGreen: boolean
}

async function endWithoutPromotion(
  session: WarehouseSession,
  run: Run,
  { prepared, changes, tests, hasGreen }: Built,
): Promise<RunReport> {
  if (hasGreen) await showReused(session, greenSchema(run.runId), run.progress)
  // The builds of a preview may be gone by the hand of who has the lease: it must not stand there as one to promote.
  if (run.request.kind === 'preview') await run.assertHeld()
  await endUnpromoted(session, run, prepared, changes)
  return { ...runReport(run, prepared, tests.results, undefined), ...(await liveNow(session, run)) }
}

async function promoteBuilt(
  session: WarehouseSession,
  run: Run,
  { prepared, fetched, changes, tests, hasGreen, promotion }: Built & { readonly promotion: PromoteStep },
): Promise<RunReport> {
  const { workspace, progress } = run
  // What failed is inspected there, as after a run that promoted nothing.
  if (hasGreen && progress.failure !== undefined) await showReused(session, greenSchema(run.runId), progress)
  const replayed = await replayedRejects(session, prepared.state, fetched, newLoads(run, prepared, fetched))
  changes.push(...replayChanges(run, replayed))
  const deployed = await promoteStage(
    session,
    run,
    prepared,
    promotion,
    newBuilds(prepared, progress),
    changes,
  )
  const shapes = promotedSources(run, prepared, fetched)
  await lockShapes(session, workspace, prepared.state, shapes, promotedLayouts(shapes, fetched))
  await collectStage(session, run, deployed.moved ? undefined : { inventory: prepared.built?.inventory })
  for (const [asset, { length }] of replayed) run.emit({ type: 'records-replayed', asset, records: length })
  const isWhole = prepared.full && progress.failure === undefined
  const isIdle = !deployed.moved && deployed.granted === 0 && tests.records.length === 0
  const state = isIdle ? withRun(prepared.state, deployed.history) : undefined
  return {
    ...runReport(run, prepared, tests.results, deployed),
    ...(await liveNow(session, run, { known: state, isWhole })),
  }
}

/** Returns the tables of what is live now: of a load that was there already, because its content was known, these are its own. */
function promotedSources(
  { progress }: Run,
  { state }: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
): SourceShapes {
  const shapes = new Map<string, readonly RawTable[]>()
  for (const [name, { tables }] of fetched) {
    const { build, because } = progress.assets.get(name) ?? {}
    if (build === undefined || because !== undefined) continue
    const load = pinnedLoad(state, build)
    const delivered = tables.map(({ shape }) => shape)
    shapes.set(name, load === undefined ? delivered : withKnown(tablesOfLoad(load), delivered))
  }
  return shapes
}

/** A load whose content was known was read anew, and in the way that its files are written now. */
function promotedLayouts(shapes: SourceShapes, fetched: ReadonlyMap<string, FetchedSource>): SourceLayouts {
  const layouts = new Map<string, readonly FileLayout[]>()
  for (const name of shapes.keys()) {
    const found = fetched.get(name)?.layouts
    if (found !== undefined) layouts.set(name, found)
  }
  return layouts
}

/** Returns the builds of the run's own assets. */
function ownBuilds({ names }: PreparedRun, { assets }: RunProgress): BuildRecord[] {
  return names.flatMap(name => assets.get(name)?.build ?? [])
}

function replayChanges(
  { runId, workspace }: Run,
  replayed: Awaited<ReturnType<typeof replayedRejects>>,
): StateChange[] {
  const environment = workspace.environment.stateName
  return [...replayed].flatMap(([asset, hashes]) => replayRejects({ environment, asset, runId }, hashes))
}

/**
 * The state is read while the warehouse is open, because opening it again later to write the files would cost
 * more.
 */
async function liveNow(
  session: WarehouseSession,
  { workspace }: Run,
  { known, isWhole = false }: { readonly known?: StateSnapshot | undefined; readonly isWhole?: boolean } = {},
): Promise<Pick<RunReport, 'state' | 'times'>> {
  const state = known ?? (await session.state.read(workspace.environment.stateName))
  return { state, times: await readLiveTimes(session, state, workspace, isWhole) }
}

/** Adds the row of a run that changed nothing to the history. */
function withRun(state: StateSnapshot, run: HistoryRecord): StateSnapshot {
  return { ...state, history: [run, ...state.history] }
}
