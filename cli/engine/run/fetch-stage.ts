/** The first stage of a run: fetches its sources with the warehouse closed, and looks at those in the warehouse while it is open. */
import type { FetchedSource, ParentRows } from '../ingest/source.ts'
import { liveTables, rawOf } from '../plan/last-load.ts'
import { stepsOf } from '../plan/step.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { fetchSources } from './fetch-sources.ts'
import { droppedColumns, knownTables } from './known-tables.ts'
import type { LoadBases } from './load-bases.ts'
import { loadKeyOf } from './load-keys.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { answerMemory, fileMemory, liveLoad } from './standing-loads.ts'
import { readSchemaLock } from './write-schema-lock.ts'

const sourcesAtOnce = 4

/** What is fetched at the same time, and what was found out for it. */
export interface FetchWave {
  readonly sources: readonly string[]
  readonly bases: LoadBases
  /** The rows that sources are asked for, by source. */
  readonly parents: ReadonlyMap<string, ParentRows>
  /** The open warehouse, for sources that are in it. */
  readonly session?: WarehouseSession
}

/** Returns the fetched sources by asset; failures are in the progress of the run. */
export async function fetchStage(
  run: Run,
  prepared: PreparedRun,
  spoolFolder: string,
  { sources, bases, parents, session }: FetchWave,
): Promise<Map<string, FetchedSource>> {
  const { workspace, request, progress, emit } = run
  const { state, names, plan } = prepared
  const steps = stepsOf(plan.steps, 'fetch').filter(
    ({ asset }) => sources.includes(asset) && !progress.assets.has(asset),
  )
  emit({ type: 'stage', stage: 'fetch', items: steps.length })
  const memory = await fileMemory(run)
  const answers = await answerMemory(run)
  const previous = readSchemaLock(workspace)
  const work = {
    project: workspace.project,
    root: workspace.root,
    world: workspace.world,
    names,
    steps,
    threads: request.threads ?? sourcesAtOnce,
    previous,
    known: (name: string) => knownTables(previous.get(name), state, name, workspace.project.engine),
    loaded: (name: string) => liveTables(state, name),
    dropped: (name: string) => droppedColumns(state, name),
    lastRows: (name: string) =>
      bases.get(name)?.current ?? rawOf(state, state.live.get(name)?.build_key)?.rows ?? undefined,
    base: (name: string) => bases.get(name),
    parents: (name: string) => parents.get(name),
    warehouse:
      session === undefined ? undefined : <T>(use: (open: WarehouseSession) => Promise<T>) => use(session),
    spoolFolder,
    memory,
    answers,
    liveLoad: (name: string) => liveLoad(run, prepared, name),
    isKnown: (name: string, loadId: string) => state.builds.has(loadKeyOf(run, prepared, name, loadId).key),
    signal: workspace.signal,
    emit,
  }
  const fetched = await fetchSources(work, progress)
  memory.save()
  answers.save()
  return fetched
}
