/**
 * Decides which sources of a run are fetched, and which loads are reused because their content is unchanged.
 */
import { isInWarehouse } from '@svc/server/language'
import { isWithin } from '../ingest/contract-check.ts'
import { type FileMemory, openFileMemory } from '../ingest/file-memory.ts'
import { type AnswerMemory, openAnswerMemory } from '../ingest/rest/answer-memory.ts'
import { loadBehindLive } from '../plan/last-load.ts'
import { stepsOf } from '../plan/step.ts'
import type { BuildRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { loadKeyOf } from './load-keys.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { unchangedLoads } from './unchanged-loads.ts'

export function sourcesToFetch({ plan, standing }: PreparedRun): readonly string[] {
  return stepsOf(plan.steps, 'fetch').flatMap(({ asset }) => (standing.has(asset) ? [] : [asset]))
}

/** Returns the assets whose sources are looked at while the warehouse is open. */
export function sourcesInWarehouse(
  { workspace }: Pick<Run, 'workspace'>,
  prepared: PreparedRun,
): ReadonlySet<string> {
  return new Set(
    sourcesToFetch(prepared).filter(name => {
      const ingest = workspace.project.byName.get(name)?.definition.ingest
      return ingest !== undefined && isInWarehouse(ingest)
    }),
  )
}

/** Returns the memory of file contents at the time of their loads. */
export async function fileMemory({ workspace }: Run): Promise<FileMemory> {
  const { root, world, project } = workspace
  return openFileMemory({
    folder: await workspace.stateFolder(),
    root,
    env: world.env,
    settings: project.settings,
    pid: world.pid,
  })
}

/** Returns the memory of what the answers of web services are known by. */
export async function answerMemory({ workspace }: Run): Promise<AnswerMemory> {
  return openAnswerMemory({ folder: await workspace.stateFolder(), pid: workspace.world.pid })
}

/** Returns the live load of a source, if a fetch of the same content would be the same load. */
export function liveLoad(run: Run, prepared: PreparedRun, name: string): BuildRecord | undefined {
  const { state, identities, renewal } = prepared
  const load = loadBehindLive(state, name)
  if (load === undefined || load.load_id === null) return undefined
  if (load.definition_hash !== identities.rawDefinitionHash(name)) return undefined
  if (renewal.assets.has(name) || renewal.damageOf(load) !== undefined) return undefined
  return loadKeyOf(run, prepared, name, load.load_id).key === load.build_key ? load : undefined
}

/** Finds the sources that need no fetch, and reports them as unchanged. */
export async function withStandingLoads(
  run: Run,
  prepared: PreparedRun,
  session: WarehouseSession,
): Promise<PreparedRun> {
  const { state, renewal } = prepared
  const sources = sourcesToFetch(prepared)
  const retried = await withinBudget(run, prepared, retriedLoads(run, prepared, sources), session)
  if (sources.length === 0 || state.live.size === 0) return { ...prepared, standing: retried }
  const asked = sources.filter(name => !retried.has(name) && !renewal.assets.has(name))
  const unchanged = await unchangedLoads(run, prepared, asked, await fileMemory(run), session)
  return { ...prepared, standing: new Map([...retried, ...unchanged]) }
}

/**
 * Returns the loads of the run that is retried, if they exist and the definitions of their sources are
 * unchanged.
 */
function retriedLoads({ request, workspace }: Run, prepared: PreparedRun, sources: readonly string[]) {
  const { state, identities, renewal } = prepared
  const loads = new Map<string, string>()
  // A view of a table that others write is no copy of what it was.
  const inWarehouse = sourcesInWarehouse({ workspace }, prepared)
  for (const name of sources) {
    if (inWarehouse.has(name)) continue
    const load = state.builds.get(request.loads?.get(name) ?? '')
    if (load === undefined || renewal.damageOf(load) !== undefined) continue
    if (load.definition_hash === identities.rawDefinitionHash(name)) loads.set(name, load.build_key)
  }
  return loads
}

/**
 * Leaves out loads from which more was kept out than the contract of today allows: their sources are fetched again, so that it
 * judges them. `max_rejects` is no part of what a load is known by.
 */
async function withinBudget(
  { workspace }: Run,
  { state }: PreparedRun,
  loads: ReadonlyMap<string, string>,
  session: WarehouseSession,
): Promise<ReadonlyMap<string, string>> {
  const kept = new Map<string, string>()
  for (const [name, key] of loads) {
    const load = state.builds.get(key)
    const contract = workspace.project.byName.get(name)?.definition.contract
    const refused =
      contract === undefined || load === undefined
        ? 0
        : (await session.state.rejects({ asset: name, runId: load.run_id }, 1)).total
    const most = contract?.maxRejects
    if (refused === 0 || (most !== undefined && isWithin(most, refused, load?.rows ?? 0))) kept.set(name, key)
  }
  return kept
}
