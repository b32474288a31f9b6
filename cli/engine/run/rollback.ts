/**
 * `svc rollback` (interface.md 3.1, decisions 2): a new generation that holds the previous map, so that a second one
 * goes back again. Named assets take their previous build alone. Previews and failed runs do not count.
 */
import { SvcError } from '../errors.ts'
import { productionView } from '../plan/make-plan.ts'
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
      const map =
        request.names === undefined ? previousMap(state) : previousBuilds(state, request.names, workspace)
      return deployMap(
        session,
        workspace,
        state,
        { runId, kind: 'rollback', selector: request.names?.join(',') ?? null, map },
        emit,
      )
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
  if (deployed.moved) emit({ type: 'promoted', ...deployed })
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
function previousMap(state: StateSnapshot): Map<string, BuildRecord> {
  if (state.generation === 0) throw nothingToRollBack('nothing was ever deployed')
  const previous = generations(state).find(({ generation }) => (generation ?? 0) < state.generation)
  if (previous === undefined) throw nothingToRollBack('there is only one deployment so far')
  return mapOf(state, previous)
}

/** Deployments, newest generation first, each once. */
function generations(state: StateSnapshot): HistoryRecord[] {
  return state.history
    .filter(({ status, generation }) => status === 'deployed' && generation !== null)
    .toSorted((a, b) => (b.generation ?? 0) - (a.generation ?? 0))
}

export function mapOf(state: StateSnapshot, run: HistoryRecord): Map<string, BuildRecord> {
  const map = new Map<string, BuildRecord>()
  for (const { name, build_key } of run.assets) {
    if (build_key === null) continue
    const build = state.builds.get(build_key)
    if (build === undefined) throw collected(name, run)
    map.set(name, build)
  }
  return map
}

/** The live map with the named assets on the build that was live before their present one. */
function previousBuilds(
  state: StateSnapshot,
  names: readonly string[],
  { project }: Workspace,
): Map<string, BuildRecord> {
  const map = new Map<string, BuildRecord>()
  for (const [name, { build_key }] of state.live) {
    const build = state.builds.get(build_key)
    if (build !== undefined) map.set(name, build)
  }
  for (const name of names) map.set(name, previousBuild(state, name, project.byName.has(name)))
  return map
}

function previousBuild(state: StateSnapshot, name: string, isInProject: boolean): BuildRecord {
  const live = state.live.get(name)?.build_key
  let wasThere = live !== undefined
  for (const run of generations(state)) {
    const key = run.assets.find(asset => asset.name === name)?.build_key ?? undefined
    wasThere ||= key !== undefined
    if (key === undefined || key === live) continue
    const build = state.builds.get(key)
    if (build === undefined) throw collected(name, run)
    return build
  }
  if (wasThere) throw nothingToRollBack(`"${name}" has only ever had its present build`)
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

function collected(name: string, run: HistoryRecord): SvcError {
  return new SvcError('nothing-to-roll-back', `the build of "${name}" in run ${run.run_id} was collected`, {
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
