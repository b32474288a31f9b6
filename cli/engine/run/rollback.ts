/**
 * `svc rollback` (interface.md 3.1, decisions 2): a new generation that holds the previous map, so that a second one
 * goes back again. Named assets take their previous build alone. Previews and failed runs do not count.
 */
import { SvcError } from '../errors.ts'
import { productionView } from '../plan/make-plan.ts'
import { readRunMaps, readRuns } from '../state/read-state.ts'
import type { BuildRecord, HistoryAsset, HistoryRecord, StateSnapshot } from '../state/state.ts'
import { insertHistory } from '../state/statements.ts'
import type { Relation, WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openGround, withLease, withSession } from './begin-run.ts'
import { deploy } from './deploy.ts'
import type { EmitEvent, RunReport } from './events.ts'
import { checkProduction } from './foreign-objects.ts'

export interface RollbackRequest {
  /** Undefined: the whole map of the previous generation. */
  readonly names?: readonly string[]
}

/** `leftBehind` of the report: live assets that stay on builds made from what was rolled back. */
export async function rollback(
  workspace: Workspace,
  request: RollbackRequest,
  emit: EmitEvent,
): Promise<RunReport> {
  const runId = workspace.world.newRunId()
  return withLease(workspace, 'rollback', runId, warehouse =>
    withSession(workspace, warehouse, emit, async session => {
      const state = await openGround(session, workspace, emit)
      const { names } = request
      const map =
        names === undefined
          ? await previousMap(session, state)
          : await previousBuilds(session, state, names, workspace)
      const change = { runId, kind: 'rollback', selector: names?.join(',') ?? null, map } as const
      return deployMap(session, workspace, state, change, emit)
    }),
  )
}

export interface MapChange {
  readonly runId: string
  readonly kind: 'promote' | 'rollback'
  readonly selector: string | null
  /** The whole new map. */
  readonly map: ReadonlyMap<string, BuildRecord>
}

/** Makes a map of builds that exist already live, and reports what moved. */
export async function deployMap(
  session: WarehouseSession,
  workspace: Workspace,
  state: StateSnapshot,
  change: MapChange,
  emit: EmitEvent,
): Promise<RunReport> {
  const startedAt = workspace.world.now()
  const moved = [...change.map].filter(([name, build]) => build.build_key !== state.live.get(name)?.build_key)
  const views = viewsOf(workspace, change.map)
  const { missing } = await checkProduction(session, state, views)
  const history: HistoryRecord = {
    run_id: change.runId,
    environment: workspace.environment.name,
    kind: change.kind,
    selector: change.selector,
    status: 'running',
    started_at: startedAt.toISOString(),
    finished_at: null,
    generation: null,
    from_generation: state.generation,
    assets: [...change.map].map(([name, build]) => mapAsset(name, build)),
    error: null,
  }
  await session.transaction(insertHistory(session.dialect, history))
  const finishedAt = workspace.world.now()
  const deployed = await deploy(session, {
    state,
    map: change.map,
    viewOf: name => views.get(name),
    missing,
    definitionOf: name => workspace.project.byName.get(name)?.definition,
    history: { ...history, finished_at: finishedAt.toISOString() },
    statements: [],
  })
  const { moved: flipped, ...promoted } = deployed
  if (flipped) emit({ type: 'promoted', ...promoted })
  const seconds = (workspace.world.now().getTime() - startedAt.getTime()) / 1000
  const at = workspace.world.now().toISOString()
  emit({
    type: 'run-finished',
    runId: change.runId,
    status: 'deployed',
    promoted: deployed.moved,
    seconds,
    at,
  })
  return {
    runId: change.runId,
    kind: change.kind,
    environment: workspace.environment.name,
    status: 'deployed',
    startedAt: history.started_at,
    finishedAt: at,
    seconds,
    generation: deployed.generation,
    promotedViews: deployed.views,
    assets: moved.map(([name, build]) => ({
      name,
      status: 'unchanged',
      rows: build.rows ?? undefined,
      seconds: 0,
      definitionHash: build.definition_hash,
    })),
    tests: [],
    leftBehind: builtFromNewer(state, change.map, new Set(moved.map(([name]) => name))),
    failure: undefined,
  }
}

/** Nothing was verified: freshness does not count these as runs of the assets. */
function mapAsset(name: string, build: BuildRecord): HistoryAsset {
  return {
    name,
    definition_hash: build.definition_hash,
    build_key: build.build_key,
    rows: build.rows,
    seconds: 0,
    status: 'kept',
  }
}

function viewsOf(
  { project, environment }: Workspace,
  map: ReadonlyMap<string, BuildRecord>,
): Map<string, Relation> {
  const views = new Map<string, Relation>()
  for (const [name, build] of map) {
    if (build.kind === 'ephemeral') continue
    const asset = project.byName.get(name)
    const sameSchema = asset?.definition.deploy.schema === (build.deploy_schema ?? undefined)
    const present = asset === undefined || !sameSchema ? undefined : productionView(asset, environment)
    const schema =
      build.deploy_schema === null ? environment.schema : environment.schemaFor(build.deploy_schema)
    views.set(name, present ?? { schema, name })
  }
  return views
}

// ---------------------------------------------------------------- the previous map

/** The map of the generation before the live one. SvcError `nothing-to-roll-back`. */
async function previousMap(
  session: WarehouseSession,
  state: StateSnapshot,
): Promise<Map<string, BuildRecord>> {
  if (state.generation === 0) throw nothingToRollBack('nothing was ever deployed')
  const earlier = (await deployments(session, state)).find(({ generation }) => generation < state.generation)
  if (earlier === undefined) throw nothingToRollBack('there is only one deployment so far')
  const maps = await readRunMaps(session, [earlier.runId])
  return buildsOf(state, maps.get(earlier.runId) ?? new Map(), earlier.runId)
}

interface Deployment {
  readonly runId: string
  readonly generation: number
}

/** Newest generation first, each once: a run that changed nothing repeats its generation. */
async function deployments(session: WarehouseSession, state: StateSnapshot): Promise<Deployment[]> {
  const byGeneration = new Map<number, string>()
  for (const run of await readRuns(session)) {
    if (run.environment !== state.environment || run.status !== 'deployed' || run.generation === null)
      continue
    if (!byGeneration.has(run.generation)) byGeneration.set(run.generation, run.run_id)
  }
  return [...byGeneration]
    .map(([generation, runId]) => ({ generation, runId }))
    .toSorted((a, b) => b.generation - a.generation)
}

/** The builds of a map. SvcError `nothing-to-roll-back` when one of them was collected. */
export function buildsOf(
  state: StateSnapshot,
  keys: ReadonlyMap<string, string>,
  runId: string,
): Map<string, BuildRecord> {
  const map = new Map<string, BuildRecord>()
  for (const [name, key] of keys) {
    const build = state.builds.get(key)
    if (build === undefined) throw collected(name, runId)
    map.set(name, build)
  }
  return map
}

/** The live map with the named assets on the build that was live before their present one. */
async function previousBuilds(
  session: WarehouseSession,
  state: StateSnapshot,
  names: readonly string[],
  { project }: Workspace,
): Promise<Map<string, BuildRecord>> {
  const live = new Map([...state.live].map(([name, { build_key }]) => [name, build_key]))
  const map = buildsOf(state, live, 'now live')
  const earlier = (await deployments(session, state)).slice(0, generationsLookedAt)
  const maps = await readRunMaps(
    session,
    earlier.map(({ runId }) => runId),
  )
  for (const name of names) {
    map.set(name, previousBuild(state, name, earlier, maps, project.byName.has(name)))
  }
  return map
}

/** More than any `deploy.keep` in practice; what lies further back was collected. */
const generationsLookedAt = 50

function previousBuild(
  state: StateSnapshot,
  name: string,
  earlier: readonly Deployment[],
  maps: ReadonlyMap<string, ReadonlyMap<string, string>>,
  isInProject: boolean,
): BuildRecord {
  const live = state.live.get(name)?.build_key
  for (const { runId } of earlier) {
    const key = maps.get(runId)?.get(name)
    if (key === undefined || key === live) continue
    const build = state.builds.get(key)
    if (build === undefined) throw collected(name, runId)
    return build
  }
  if (live !== undefined) throw nothingToRollBack(`"${name}" has only ever had its present build`)
  if (isInProject) throw nothingToRollBack(`"${name}" was never deployed`)
  throw new SvcError('unknown-asset', `no asset is called "${name}"`, {
    hint: 'svc status lists all assets.',
  })
}

function nothingToRollBack(why: string): SvcError {
  return new SvcError('nothing-to-roll-back', `nothing to roll back: ${why}`, {
    hint: 'svc versions <asset> lists what was deployed.',
  })
}

function collected(name: string, runId: string): SvcError {
  return new SvcError('nothing-to-roll-back', `the build of "${name}" in run ${runId} was collected`, {
    hint: 'deploy.keep says how many archives are kept.',
  })
}

/** Live assets that were not moved themselves and rest, by their pins, on a build that is not live any more. */
function builtFromNewer(
  state: StateSnapshot,
  map: ReadonlyMap<string, BuildRecord>,
  moved: ReadonlySet<string>,
): string[] {
  const replaced = new Set([...moved].flatMap(name => state.live.get(name)?.build_key ?? []))
  const rests = new Map<string, boolean>()
  const restsOnReplaced = (key: string): boolean => {
    const known = rests.get(key)
    if (known !== undefined) return known
    rests.set(key, false)
    const pins = state.builds.get(key)?.pins ?? []
    const answer = pins.some(pin => replaced.has(pin) || restsOnReplaced(pin))
    rests.set(key, answer)
    return answer
  }
  return [...map]
    .filter(([name, build]) => !moved.has(name) && restsOnReplaced(build.build_key))
    .map(([name]) => name)
}
