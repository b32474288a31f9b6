/**
 * `svc run` and `svc preview` (interface.md 3.1): lease, plan, fetch with the warehouse closed, build in a
 * green schema, test there, promote in one transaction, collect garbage. If any step fails, production is
 * unchanged.
 */

import { setImmediate } from 'node:timers/promises'
import type { RunEvent } from '@svc/server/contract'
import { svcIn } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { rowsInWords } from '../plan/gathered-rows.ts'
import { isQueryStep } from '../plan/step.ts'
import { tellUnitTests, unitResults } from '../quality/unit-results.ts'
import { insertHistory } from '../state/changes.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { assetFailure } from './asset-failure.ts'
import { type HeldLease, isHeld, lostLease, openState, withLease, withSession } from './begin-run.ts'
import { decisionsOf } from './debug-events.ts'
import type { EmitEvent, RunReport } from './events.ts'
import { fetchInWaves, lookInWarehouse } from './fetch-waves.ts'
import { historyLost } from './history-lost.ts'
import type { RunOptions } from './journal.ts'
import { judgeFetched } from './judge-sources.ts'
import { type LoadBases, readLoadBases } from './load-bases.ts'
import { sayPending } from './pending.ts'
import { type PreparedRun, prepareRun } from './prepare-run.ts'
import { keepRefused } from './refused-runs.ts'
import type { AfterRun, Run, RunRequest } from './run.ts'
import { runBrokenOff, runFinished } from './run-finished.ts'
import { historyRow, markFailed, refusedRow } from './run-history.ts'
import { failAsset, startProgress } from './run-progress.ts'
import { executeStages } from './run-stages.ts'
import { expireSpools, settleSpools, spoolsOf } from './spools.ts'
import { sourcesInWarehouse, sourcesToFetch, withStandingLoads } from './standing-loads.ts'
import { tellFileWarnings } from './tell-file-warnings.ts'
import { keepWarnings } from './warnings.ts'

export type { RunRequest } from './run.ts'

/**
 * `after` is given the report while the warehouse is being closed, and has ended when this resolves or rejects with what
 * it threw.
 *
 * Resolves with a report also when an asset or a test failed. SvcError where there is nothing to report: wrong
 * selection, invalid files, lease or warehouse held, interrupted.
 */
export async function runProject(
  workspace: Workspace,
  asked: RunRequest,
  emit: EmitEvent,
  after: AfterRun = async () => {},
): Promise<RunReport> {
  const { world, environment } = workspace
  const runId = world.newRunId()
  const request = asked.refresh === undefined ? asked : { ...asked, refreshSalt: asked.refreshSalt ?? runId }
  const { kind, selector = null } = request
  const startedAt = world.now()
  const progress = startProgress()
  const afterwards = onceBeside(after)
  let report: RunReport
  try {
    // Files are read, checked and bound before the lease is taken.
    await workspace.analysis()
    const action = { runId, kind, selector, options: runOptionsOf(request), emit }
    report = await withLease(workspace, action, held => {
      const { warehouse, assertHeld } = held
      const emit = keepWarnings(progress.warnings, svcIn(workspace.environment.name), held.emit)
      const run: Run = { workspace, request, runId, warehouse, assertHeld, emit, startedAt, progress }
      return withSpools(run, held, () => planAndExecute(run, held, afterwards.begin))
    })
  } catch (error) {
    const facts = { selector, error, promoted: progress.promoted, startedAt, now: world.now() }
    if (!progress.recorded) await keepRefused({ workspace, request, runId, startedAt }, error)
    emit(runBrokenOff({ runId, kind, environment: environment.name }, facts))
    throw error
  }
  emit(runFinished(report, report.status === 'deployed' && report.generation !== undefined, selector))
  await afterwards.end()
  return report
}

/** Returns the options that a retry needs. */
function runOptionsOf(request: RunRequest): RunOptions {
  const { noIngest, allTests, threads, promotion, strict, refresh, refreshSalt, vars } = request
  return { noIngest, allTests, threads, promotion, strict, refresh, refreshSalt, vars }
}

/** Begins with the next turn of the loop, so that whoever waits for a thread goes first; what it throws is for `end`. */
function onceBeside(work: AfterRun) {
  let ended = Promise.resolve()
  return {
    begin(report: RunReport): RunReport {
      ended = setImmediate().then(() => work(report))
      ended.catch(() => undefined)
      return report
    },
    end: () => ended,
  }
}

async function withSpools(
  { workspace }: Run,
  { folder, journal, assertHeld }: HeldLease,
  work: () => Promise<RunReport>,
): Promise<RunReport> {
  const { now } = workspace.world
  const spools = spoolsOf(folder)
  // Of a run that has not begun, and of one that lost its lease, they are the spools of another one.
  const isOwn = async () => journal.isOpen && (await isHeld(assertHeld))
  try {
    const report = await work()
    const assets = new Set(report.assets.map(({ name }) => name))
    const outcome = report.status === 'Failed' ? 'Failed' : 'deployed'
    if (await isOwn()) await settleSpools(spools, outcome, assets, now())
    return report
  } catch (error) {
    if (await isOwn()) await settleSpools(spools, 'interrupted', new Set(), now())
    throw error
  }
}

/**
 * The warehouse is closed between plan and builds whenever there is something to fetch. `told`: is given the report before
 * the warehouse is closed.
 */
async function planAndExecute(
  run: Run,
  held: HeldLease,
  told: (report: RunReport) => RunReport,
): Promise<RunReport> {
  const { workspace, warehouse, emit } = run
  const begun = await withSession(workspace, warehouse, emit, async session => {
    const prepared = await beginRun(session, run, held)
    const inWarehouse = sourcesInWarehouse(run, prepared)
    if (sourcesToFetch(prepared).some(name => !inWarehouse.has(name)))
      return { prepared, bases: await readLoadBases(session, run, prepared) }
    const report = await failedOnError(run, prepared, async () => {
      const found = await lookInWarehouse(session, run, prepared, spoolsOf(held.folder))
      const judged = await judgeFetched(run, prepared, found)
      return executeStages(session, run, judged, found).then(told)
    })
    return { prepared, report, bases: noBases }
  })
  if (begun.report !== undefined) return begun.report
  return failedOnError(run, begun.prepared, async () => {
    const { prepared, fetched, hasGreen } = await fetchInWaves(run, begun.prepared, held, begun.bases)
    return withSession(workspace, warehouse, emit, async session => {
      await run.assertHeld()
      // Other environments may have built or deleted something meanwhile.
      const state = await session.state.read(workspace.environment.stateName)
      return executeStages(session, run, { ...prepared, state }, fetched, hasGreen).then(told)
    })
  })
}

const noBases: LoadBases = new Map()

async function beginRun(session: WarehouseSession, run: Run, held: HeldLease): Promise<PreparedRun> {
  const { workspace, request, warehouse, runId, emit } = run
  // Nothing is deleted before the warehouse is open: who has a lease and sleeps may still have the warehouse.
  await expireSpools(spoolsOf(held.folder), workspace.world.now(), request.loads !== undefined)
  const state = await openState(session, workspace, { ...held, emit }, 'now')
  const prepared = await prepareRun(session, state, workspace, request, warehouse.shortLabel).catch(
    async error => {
      await session.state.commit(insertHistory(refusedRow(run, state, error)))
      run.progress.recorded = true
      throw error
    },
  )
  // The warehouse writes the row while the process works out what is told next.
  const recorded = session.state.commit(insertHistory(historyRow(run, prepared)))
  recorded.catch(() => undefined)
  const units = unitResults(workspace, prepared.analysis, prepared.names)
  const decisions = decisionsOf(prepared.plan)
  await recorded
  run.progress.recorded = true
  const failures = [...failBroken(run, prepared), ...failLost(run, prepared)]
  const isLeft = (asset: string) => !run.progress.assets.has(asset)
  const builds = prepared.plan.steps
    .filter(isQueryStep)
    .map(({ asset }) => asset)
    .filter(isLeft)
  emit({
    type: 'run-started',
    run_id: runId,
    kind: request.kind,
    environment: workspace.environment.name,
    ...(workspace.environment.branch !== undefined && { branch: workspace.environment.branch }),
    selector: request.selector ?? null,
    assets: prepared.names.length,
    to_fetch: sourcesToFetch(prepared).filter(isLeft).length,
    to_build: builds.length,
    at: run.startedAt.toISOString(),
  })
  tellGone(prepared, emit)
  tellLosses(run, prepared)
  tellUnitTests(units, emit)
  tellFileWarnings(run, prepared, prepared.analysis, new Set(sourcesToFetch(prepared)))
  for (const failure of failures) emit(failure)
  for (const decision of decisions) emit(decision)
  sayPending(workspace.project, builds, emit)
  return withStandingLoads(run, prepared, session)
}

/** Marks what fails by its files, so that the run begins with what is left to do. Returns what is told of it afterwards. */
function failBroken(run: Run, { broken, names }: PreparedRun): RunEvent[] {
  const told: RunEvent[] = []
  for (const { errors, ...failure } of broken) {
    run.progress.problems.push(...errors)
    failAsset({ ...run, emit: event => told.push(event) }, names, failure)
  }
  return told
}

/** Marks what would lose gathered rows that nobody has given up, before anything of it is fetched. */
function failLost(run: Run, { plan, names }: PreparedRun): RunEvent[] {
  const told: RunEvent[] = []
  const { project } = run.workspace
  for (const { name, gathered } of plan.assets) {
    const asset = project.byName.get(name)
    if (asset === undefined || gathered?.fate !== 'refused' || run.progress.assets.has(name)) continue
    const failure = assetFailure(
      asset,
      historyLost(name, gathered),
      ['ingest'],
      run.workspace.environment.name,
    )
    failAsset({ ...run, emit: event => told.push(event) }, names, failure)
  }
  return told
}

/** What a rename would lose is told while a rollback, or the old name, still has it. */
function tellLosses({ workspace, request, emit }: Run, { plan }: PreparedRun): void {
  if (request.kind !== 'run') return
  const svc = svcIn(workspace.environment.name)
  for (const { name, gathered } of plan.assets)
    if (gathered?.fate === 'lost' && gathered.rows > 0)
      emit({
        type: 'warning',
        code: 'lost-history',
        asset: name,
        count: gathered.rows,
        message: `${rowsInWords(gathered.rows)} go, but for those that its source still has: ${gathered.because}`,
        hint: `Until the last run that has them goes, ${svc('rollback')} brings them back.`,
      })
  for (const { name, loses } of plan.assets)
    if (loses !== undefined)
      emit({
        type: 'warning',
        code: 'lost-history',
        asset: name,
        message: `its file is gone; ${loses}`,
        hint: `Until they go, ${svc('rollback')} brings them back; an asset of this name then keeps them.`,
      })
}

/** Readers of production may have met errors or other rows until this run: it says what it repairs. */
function tellGone(prepared: PreparedRun, emit: EmitEvent): void {
  for (const [asset, repairs] of prepared.repairs)
    for (const repair of repairs) emit({ type: 'relation-gone', asset, ...repair })
}

/**
 * Marks a run that threw an exception as Failed in the history; if this cannot be written, the next command's
 * recovery does it.
 */
async function failedOnError(
  run: Run,
  prepared: PreparedRun,
  work: () => Promise<RunReport>,
): Promise<RunReport> {
  try {
    return await work()
  } catch (error) {
    // An error after the promotion does not undo it.
    if (run.progress.promoted) throw error
    const { aborted } = run.workspace.signal
    const cause = aborted ? interrupted(run, error) : await lostLease(run.assertHeld, error)
    await markFailed(run, prepared, cause).catch(() => undefined)
    throw cause
  }
}

function interrupted(run: Run, cause: unknown): SvcError {
  return new SvcError('interrupted', `run ${run.runId} was stopped; production is as before`, {
    hint: svc =>
      `What is complete is kept: ${svc('retry')} takes it as it is, ${svc('run')} fetches every source again.`,
    cause,
  })
}
