/**
 * Fetches the sources of a run: first those that ask for nothing but themselves, with the warehouse closed. A source that is
 * asked for each row of an asset comes when that asset is built, in a green schema like all else. Tables of the warehouse are looked
 * at in between.
 */
import { forEachOf, type Project } from '@svc/server/language'
import type { FetchedSource, ParentRows } from '../ingest/source.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { type HeldLease, withSession } from './begin-run.ts'
import { buildStage } from './build-stage.ts'
import { type FetchWave, fetchSources } from './fetch-sources.ts'
import { judgeFetched } from './judge-sources.ts'
import type { LoadBases } from './load-bases.ts'
import { parentRows } from './parent-rows.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { spoolsOf } from './spools.ts'
import { sourcesInWarehouse, sourcesToFetch } from './standing-loads.ts'
import { stepsAfterFetch } from './steps-after-fetch.ts'

export interface FetchedRun {
  readonly prepared: PreparedRun
  readonly fetched: ReadonlyMap<string, FetchedSource>
  /** Whether something was built on the way, so that there is a green schema. */
  readonly hasGreen: boolean
}

export async function fetchInWaves(
  run: Run,
  prepared: PreparedRun,
  held: HeldLease,
  bases: LoadBases,
): Promise<FetchedRun> {
  const { workspace, warehouse, emit } = run
  const { project } = workspace
  const folder = spoolsOf(held.folder)
  const inWarehouse = sourcesInWarehouse(run, prepared)
  const waves = wavesOf(project, prepared.names, new Set(sourcesToFetch(prepared)))
  const fetched = new Map<string, FetchedSource>()
  let judged = prepared
  let hasGreen = false
  let parents: ReadonlyMap<string, ParentRows> = new Map()
  for (const [index, sources] of waves.entries()) {
    if (index > 0) {
      const ahead = await buildAhead(run, judged, fetched, sources)
      parents = ahead.parents
      hasGreen ||= ahead.hasGreen
    }
    const wave = { sources: sources.filter(name => !inWarehouse.has(name)), bases, parents }
    for (const [name, source] of await fetchSources(run, prepared, folder, wave)) fetched.set(name, source)
    if (index === 0 && inWarehouse.size > 0) {
      const found = await withSession(workspace, warehouse, emit, session =>
        lookInWarehouse(session, run, prepared, folder),
      )
      for (const [name, source] of found) fetched.set(name, source)
    }
    judged = await judgeFetched(run, judged, fetched)
  }
  return { prepared: judged, fetched, hasGreen }
}

/** Looks at the tables of the warehouse that are sources, which needs no network and no spool. */
export async function lookInWarehouse(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  spoolFolder: string,
): Promise<ReadonlyMap<string, FetchedSource>> {
  const sources = [...sourcesInWarehouse(run, prepared)]
  if (sources.length === 0) return new Map()
  return fetchSources(run, prepared, spoolFolder, { sources, bases: new Map(), parents: new Map(), session })
}

/** Returns which sources are fetched together: each wave needs what is built of those before it. */
export function wavesOf(
  project: Pick<Project, 'byName' | 'parents'>,
  names: readonly string[],
  sources: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const waves: string[][] = [[]]
  const waveOf = new Map<string, number>()
  for (const name of names) {
    const ofParents = Math.max(0, ...project.parents(name).map(parent => waveOf.get(parent) ?? 0))
    const isAsked = sources.has(name) && forEachOf(project.byName.get(name)?.definition.ingest) !== undefined
    waveOf.set(name, isAsked ? ofParents + 1 : ofParents)
    if (!sources.has(name)) continue
    const wave = isAsked ? ofParents + 1 : 0
    waves[wave] = [...(waves[wave] ?? []), name]
  }
  return waves
}

/** Builds what the sources of a wave are asked for, and reads its rows. */
async function buildAhead(
  run: Run,
  prepared: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
  sources: readonly string[],
): Promise<Pick<FetchWave, 'parents'> & Pick<FetchedRun, 'hasGreen'>> {
  const { workspace, warehouse, emit } = run
  return withSession(workspace, warehouse, emit, async session => {
    const state = await session.state.read(workspace.environment.stateName)
    const now = { ...prepared, state }
    const hasGreen = await buildNeeded(session, run, now, fetched, sources)
    workspace.signal.throwIfAborted()
    return { hasGreen, parents: await parentRows(session, run, now, sources) }
  })
}

async function buildNeeded(
  session: WarehouseSession,
  run: Run,
  prepared: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
  sources: readonly string[],
): Promise<boolean> {
  const needed = neededFor(run.workspace.project, prepared.names, sources)
  const planned = stepsAfterFetch(run, prepared, fetched)
  const steps = planned.steps.filter(
    step => 'asset' in step && step.kind !== 'test' && needed.has(step.asset),
  )
  return steps.length > 0 && (await buildStage(session, run, prepared, { ...planned, steps }, fetched))
}

/** Returns the assets of the run that have to be built before the sources can be asked for. */
function neededFor(
  project: Project,
  names: readonly string[],
  sources: readonly string[],
): ReadonlySet<string> {
  const own = new Set(names)
  const needed = new Set<string>()
  const queue = sources.flatMap(name => forEachOf(project.byName.get(name)?.definition.ingest)?.asset ?? [])
  for (const name of queue) {
    if (needed.has(name) || !own.has(name)) continue
    needed.add(name)
    queue.push(...project.parents(name))
  }
  return needed
}
