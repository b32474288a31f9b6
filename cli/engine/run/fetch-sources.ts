/**
 * The first stage of a run: fetches its sources into spools, several concurrently, with the warehouse closed, and looks at
 * those in the warehouse while it is open. A failed source removes its asset and everything downstream from the
 * run; the others continue. Loads nothing.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DriftChange } from '@svc/server/contract'
import { type Asset, hintIn, limitedIngest, type SchemaLock } from '@svc/server/language'
import type { FileMemory } from '../ingest/file-memory.ts'
import type { AnswerMemory, KnownAnswers } from '../ingest/rest/answer-memory.ts'
import { createHostPaces, type HostPaces, usualPause } from '../ingest/rest/host-pace.ts'
import type {
  FetchContext,
  FetchedSource,
  FetchProgress,
  LiveAnswers,
  ParentRows,
  RejectCounts,
} from '../ingest/source.ts'
import { sourceFor } from '../ingest/source-for.ts'
import { assetOf } from '../plan/identities.ts'
import { liveTables, loadBehindLive } from '../plan/last-load.ts'
import { stepsOf } from '../plan/step.ts'
import { mayBePersonal, personalInSources } from '../quality/personal-columns.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { assetFailure } from './asset-failure.ts'
import { droppedColumns, knownTables } from './known-tables.ts'
import type { LoadBases } from './load-bases.ts'
import { loadKeyOf } from './load-keys.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { failAsset } from './run-progress.ts'
import { executeSteps } from './schedule.ts'
import { answerMemory, fileMemory, liveLoad } from './standing-loads.ts'
import { readSchemaLock } from './write-schema-lock.ts'

/** What is fetched at the same time, and what was found out for it. */
export interface FetchWave {
  readonly sources: readonly string[]
  /** The loads that incremental ones continue. */
  readonly bases: LoadBases
  /** The rows that sources are asked for, by source. */
  readonly parents: ReadonlyMap<string, ParentRows>
  /** The open warehouse, for sources that are in it. */
  readonly session?: WarehouseSession
}

interface FetchWork {
  readonly run: Run
  readonly prepared: PreparedRun
  readonly wave: FetchWave
  /** A folder of this environment alone, which the caller cleans up. */
  readonly spoolFolder: string
  readonly hosts: HostPaces
  /** What the lock file says. */
  readonly locked: SchemaLock
  readonly memory: FileMemory
  readonly answers: AnswerMemory
  readonly personal: ReturnType<typeof personalInSources>
}

const sourcesAtOnce = 4

/** Returns the fetched sources by asset; failures are in the progress of the run. Rejects when interrupted. */
export async function fetchSources(
  run: Run,
  prepared: PreparedRun,
  spoolFolder: string,
  wave: FetchWave,
): Promise<Map<string, FetchedSource>> {
  const { workspace, request, progress, emit } = run
  const steps = stepsOf(prepared.plan.steps, 'fetch').filter(
    ({ asset }) => wave.sources.includes(asset) && !progress.assets.has(asset),
  )
  emit({ type: 'stage', stage: 'fetch', items: steps.length })
  const memory = await fileMemory(run)
  const answers = await answerMemory(run)
  const hosts = createHostPaces(usualPause)
  const locked = readSchemaLock(workspace)
  const personal = personalInSources(workspace.project, prepared.analysis)
  const work = { run, prepared, wave, spoolFolder, hosts, locked, memory, answers, personal }
  const fetched = new Map<string, FetchedSource>()
  await executeSteps(steps, {
    threads: request.threads ?? sourcesAtOnce,
    async execute(step, queue) {
      workspace.signal.throwIfAborted()
      const source = await fetchOne(assetOf(workspace.project, step.asset), work)
      if (source === undefined) return
      fetched.set(step.asset, source)
      queue.done(step)
    },
  })
  memory.save()
  answers.save()
  return fetched
}

async function fetchOne(asset: Asset, work: FetchWork): Promise<FetchedSource | undefined> {
  const { run, prepared } = work
  const { workspace, progress, emit } = run
  const { name } = asset
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  emit({ type: 'fetch-started', asset: name })
  let betweenPages: readonly DriftChange[] = []
  const onPageDrift = (changes: readonly DriftChange[]) => {
    betweenPages = changes
  }
  const sayPageDrift = () => {
    if (betweenPages.length > 0)
      emit({ type: 'source-drift', asset: name, between: 'pages', changes: betweenPages })
  }
  try {
    const source = await fetchInto(asset, work, onPageDrift)
    // Whether the source has the content that is live here; that another environment has loaded it says nothing.
    const { key } = loadKeyOf(run, prepared, name, source.loadId)
    const unchanged = loadBehindLive(prepared.state, name)?.build_key === key
    const { rows, bytes } = source
    const took = seconds()
    progress.fetchSeconds.set(name, took)
    const told = unchanged && source.told !== undefined ? { told: source.told } : {}
    emit({ type: 'fetch-finished', asset: name, rows, bytes, seconds: took, unchanged, ...told })
    if (!unchanged && source.drift.length > 0)
      emit({ type: 'source-drift', asset: name, between: 'loads', changes: source.drift })
    if (!unchanged) sayPageDrift()
    if (source.rejects !== undefined) noteRejects(name, source.rejects, false, run)
    return source
  } catch (error) {
    if (workspace.signal.aborted) throw error
    sayPageDrift()
    const hidesValues = mayBePersonal(workspace.project, asset)
    const failure = assetFailure(asset, error, ['ingest'], workspace.environment.name, undefined, hidesValues)
    failAsset(run, prepared.names, failure, seconds())
    return undefined
  }
}

function noteRejects(
  asset: string,
  { rows, values, columns, tables }: RejectCounts,
  refused: boolean,
  { progress, emit }: Run,
): void {
  const rejects = { rows, values, columns, tables, refused }
  progress.rejects.set(asset, rejects)
  emit({ type: 'records-rejected', asset, ...rejects })
}

async function fetchInto(
  asset: Asset,
  work: FetchWork,
  onPageDrift: NonNullable<FetchContext['onPageDrift']>,
): Promise<FetchedSource> {
  const { run, memory } = work
  const { workspace, progress, emit } = run
  const { project, world } = workspace
  const { name } = asset
  const spoolFolder = join(work.spoolFolder, name)
  const reader = await sourceFor(limitedIngest(asset, project.settings))
  if (reader.resumes !== true) await rm(spoolFolder, { recursive: true, force: true })
  await mkdir(spoolFolder, { recursive: true, mode: 0o700 })
  const remember = await memory.watch(asset, spoolFolder)
  let isWarned = false
  let answers: KnownAnswers | undefined
  const pace = paced(progress => emit({ type: 'fetch-progress', asset: name, ...progress }))
  const fetching = reader.fetch({
    asset,
    engine: project.engine,
    personal: work.personal(asset),
    root: workspace.root,
    spoolFolder,
    ...knownOf(name, work),
    hosts: work.hosts,
    onPageDrift,
    onRefused: refused => {
      progress.refused.set(name, refused)
      noteRejects(name, refused, true, run)
    },
    onAnswers: found => {
      answers = found
    },
    env: world.env,
    now: world.now,
    signal: workspace.signal,
    onProgress: pace.tell,
    onWarning: warning => {
      isWarned = true
      const { hint, ...said } = warning
      const toDo = hint === undefined ? {} : { hint: hintIn(hint, workspace.environment.name) }
      emit({ type: 'warning', asset: name, ...said, ...toDo })
    },
    onRequest: request => emit({ type: 'request', asset: name, ...request }),
  })
  const source = await fetching.finally(pace.end)
  // A source with rejects or warnings is not remembered as unchanged: every run has to report them, and compare
  // the rejects with the current limit.
  if (source.rejects !== undefined || isWarned) return source
  await remember(source)
  work.answers.keep(name, source.loadId, answers)
  return source
}

/** Milliseconds. A terminal is drawn about as often; what comes more often would only fill logs. */
const progressPause = 100

/** Leaves out progress that follows another one at once, but for the last one. A note is never left out. */
function paced(tell: (progress: FetchProgress) => void) {
  let last = Number.NEGATIVE_INFINITY
  let left: FetchProgress | undefined
  return {
    tell(progress: FetchProgress) {
      const now = performance.now()
      left = progress
      if (progress.note === undefined && now - last < progressPause) return
      last = now
      left = undefined
      tell(progress)
    },
    end() {
      if (left !== undefined) tell(left)
      left = undefined
    },
  }
}

/** Returns what is known of a source before it is fetched. */
function knownOf(name: string, work: FetchWork) {
  const { run, prepared, wave, locked } = work
  const { state } = prepared
  const { session } = wave
  const base = wave.bases.get(name)
  return {
    previous: locked.shapes.get(name),
    layouts: locked.layouts.get(name),
    known: knownTables(locked.shapes.get(name), state, name, run.workspace.project.engine),
    loaded: liveTables(state, name),
    dropped: () => droppedColumns(state, name),
    lastRows: base?.current ?? loadBehindLive(state, name)?.rows ?? undefined,
    lastLoad: liveLoad(run, prepared, name),
    base,
    parents: wave.parents.get(name),
    live: liveAnswers(name, work),
    ...(session !== undefined && { warehouse: use => use(session) }),
  } satisfies Partial<FetchContext>
}

function liveAnswers(name: string, { run, prepared, answers }: FetchWork): LiveAnswers | undefined {
  const load = liveLoad(run, prepared, name)
  const known = load === undefined || load.load_id === null ? undefined : answers.recall(name, load.load_id)
  return load === undefined || known === undefined ? undefined : { load, answers: known }
}
