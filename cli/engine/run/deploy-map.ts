/** Makes a map of existing builds live; `promote` and `rollback` share this. It builds and tests nothing. */
import type { Warning } from '@svc/server/contract'
import { type CommandLine, groupBy, materializationOf, svcIn } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { pointerMoves } from '../plan/pointers.ts'
import { readersIn } from '../plan/readers.ts'
import { insertHistory } from '../state/changes.ts'
import type { BuildRecord, HistoryRecord, StateSnapshot } from '../state/state.ts'
import type { Relation, WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { checkMapPolicies } from './check-policies.ts'
import { type Deployed, deploy } from './deploy.ts'
import type { EmitEvent, RunReport } from './events.ts'
import { checkProduction } from './foreign-objects.ts'
import { buildDamage, builtInventory } from './gone-relations.ts'
import { viewRepairs } from './repairs.ts'
import { askForReplaced, type MayReplace } from './replaced-views.ts'
import { runFinished } from './run-finished.ts'
import { startedRow } from './run-history.ts'
import { keepWarnings } from './warnings.ts'
import { lockLiveLoads } from './write-schema-lock.ts'

export interface MapChange {
  /** Throws SvcError `lease-lost`. */
  readonly assertHeld: () => Promise<void>
  readonly runId: string
  readonly kind: 'promote' | 'rollback'
  readonly selector: string | null
  /** When the command began, before it waited for anybody. */
  readonly startedAt: Date
  /** The complete new map. */
  readonly map: ReadonlyMap<string, BuildRecord>
  /** The warnings of the run that made its builds, if that one was not live before. */
  readonly warnings?: readonly Warning[]
  readonly mayReplace: MayReplace | undefined
  /** Returns the command line that says yes to that. */
  readonly again: (svc: CommandLine) => string
}

/**
 * Makes a map of existing builds live, and reports which assets changed. Throws SvcError `foreign-object`,
 * `promotion-stale`, `build-gone`.
 */
export async function deployMap(
  session: WarehouseSession,
  workspace: Workspace,
  state: StateSnapshot,
  change: MapChange,
  emit: EmitEvent,
): Promise<RunReport> {
  const warnings = [...(change.warnings ?? [])]
  const views = viewsOf(workspace, change.map)
  const production = await checkProduction(session, state, views)
  const { missing, damaged } = production
  await askForReplaced(state, production, {
    mayReplace: change.mayReplace,
    damageOf: async () => buildDamage(await builtInventory(session, state)),
    again: change.again,
  })
  for (const [asset, repairs] of viewRepairs(damaged))
    for (const repair of repairs) emit({ type: 'relation-gone', asset, ...repair })
  await checkMapPolicies(
    session.state,
    workspace,
    state,
    change.map,
    keepWarnings(warnings, svcIn(workspace.environment.name), emit),
  )
  const history = historyOf(workspace, state, { ...change, warnings })
  emit({ type: 'stage', stage: 'promote', items: views.size })
  const deployment = {
    assertHeld: change.assertHeld,
    state,
    map: change.map,
    moves: pointerMoves({
      state,
      keys: keysOf(change.map),
      viewOf: name => views.get(name),
      missing,
      readersOf: readersIn(workspace.project, grantedBy(state, change)),
    }),
    definitionOf: (name: string) => workspace.project.byName.get(name)?.definition,
    history,
    // The row is written in the transaction of the promotion, so that a failed promotion leaves no row.
    changes: insertHistory(history),
    emit,
  }
  const deployed = await deploy(session, deployment).catch(async error => {
    throw (await goneBuild(session, state, change, error)) ?? error
  })
  await lockLiveLoads(session, workspace, state, change.map)
  const { moved, history: _row, ...promoted } = deployed
  if (moved || deployed.granted > 0) emit({ type: 'promoted', ...promoted })
  const report = reportOf(workspace, state, change, deployed)
  emit(runFinished(report, moved, change.selector))
  return report
}

/**
 * Returns the error for a promotion that failed because somebody had dropped what it would show. Only a failure asks, because
 * listing what is there costs 0.2 s of 10,000 tables.
 */
async function goneBuild(
  session: WarehouseSession,
  state: StateSnapshot,
  { map, kind }: MapChange,
  error: unknown,
): Promise<SvcError | undefined> {
  if (error instanceof SvcError && error.code !== 'warehouse-failed') return undefined
  const damageOf = buildDamage(await builtInventory(session, state))
  const gone = [...map].filter(([, build]) => damageOf(build) === 'gone').map(([name]) => name)
  const [first] = gone
  if (first === undefined) return undefined
  const others = gone.length === 1 ? '' : ` and of ${gone.length - 1} more`
  return new SvcError('build-gone', `somebody has dropped the table or view of "${first}"${others}`, {
    hint: svc =>
      kind === 'promote'
        ? `Preview again, so that what is gone is built anew: ${svc('preview')}.`
        : `Nothing was changed. ${svc(`versions ${first}`)} lists what else was deployed.`,
    asset: first,
    cause: error,
  })
}

/** A promotion follows the files. A rollback is about data: the readers of views that stand stay as they are. */
function grantedBy({ live, views }: StateSnapshot, { kind, map }: MapChange): string[] {
  const isNew = ([name, { build_key }]: readonly [string, BuildRecord]) =>
    kind === 'rollback' ? !views.has(name) : live.get(name)?.build_key !== build_key
  return [...map].filter(isNew).map(([name]) => name)
}

function keysOf(map: ReadonlyMap<string, BuildRecord>): Map<string, string> {
  return new Map([...map].map(([asset, { build_key }]) => [asset, build_key]))
}

/** The assets were not verified, so freshness does not count this as a run of them. */
function historyOf(workspace: Workspace, state: StateSnapshot, change: MapChange): HistoryRecord {
  return {
    ...startedRow(workspace, state, change),
    finished_at: workspace.world.now().toISOString(),
    warnings: change.warnings ?? [],
    assets: [...change.map].map(([name, { definition_hash, build_key, rows }]) => ({
      name,
      definition_hash,
      build_key,
      rows,
      seconds: 0,
      status: 'kept',
    })),
  }
}

/**
 * Returns the views of the builds; `materialize` and `schema` are those of the build, not of the current
 * file.
 */
export function viewsOf(
  { environment }: Workspace,
  map: ReadonlyMap<string, BuildRecord>,
): Map<string, Relation> {
  const views = new Map<string, Relation>()
  for (const [name, { kind, deploy_schema }] of map) {
    if (!materializationOf(kind).isPublished) continue
    const schema = deploy_schema === null ? environment.schema : environment.schemaFor(deploy_schema)
    views.set(name, { schema, name })
  }
  return views
}

function reportOf(
  { environment, world }: Workspace,
  state: StateSnapshot,
  { runId, kind, map }: MapChange,
  deployed: Deployed,
): RunReport {
  const { history } = deployed
  const finishedAt = world.now()
  const moved = [...map].filter(([name, build]) => build.build_key !== state.live.get(name)?.build_key)
  return {
    runId,
    kind,
    environment: environment.name,
    status: 'deployed',
    startedAt: history.started_at,
    finishedAt: finishedAt.toISOString(),
    seconds: (finishedAt.getTime() - new Date(history.started_at).getTime()) / 1000,
    generation: deployed.generation,
    promotedViews: deployed.views,
    removedViews: deployed.dropped,
    grantedViews: deployed.granted,
    assets: moved.map(([name, build]) => ({
      name,
      status: 'taken_over',
      rows: build.rows ?? undefined,
      seconds: 0,
      definitionHash: build.definition_hash,
    })),
    moved: moved.map(([, build]) => build),
    tests: [],
    rejects: [],
    kept: [],
    warnings: history.warnings ?? [],
    leftBehind: builtFromReplaced(state, map, new Set(moved.map(([name]) => name))),
    failure: undefined,
  }
}

/**
 * Returns live assets that did not change, but whose build pins, directly or not, a build that is no longer
 * live.
 */
function builtFromReplaced(
  state: StateSnapshot,
  map: ReadonlyMap<string, BuildRecord>,
  moved: ReadonlySet<string>,
): string[] {
  const pins = [...state.builds.values()].flatMap(({ build_key: reader, pins }) =>
    pins.map(pin => ({ pin, reader })),
  )
  const readers = groupBy(pins, ({ pin }) => pin)
  const reached = new Set([...moved].flatMap(name => state.live.get(name)?.build_key ?? []))
  for (const key of reached) for (const { reader } of readers.get(key) ?? []) reached.add(reader)
  return [...map]
    .filter(([name, { build_key }]) => !moved.has(name) && reached.has(build_key))
    .map(([name]) => name)
}
