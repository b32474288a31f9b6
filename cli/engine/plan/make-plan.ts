/**
 * Project and state in, `Plan` out: what would be fetched, built, tested, promoted and dropped. Pure. A source is
 * taken to hold what was loaded last; a run finds out and then plans its steps once more with the same function.
 */
import { type Asset, changedKeys, type Hash, type Project, type ProjectAnalysis } from '@svc/server/language'
import type { StateSnapshot } from '../state/state.ts'
import { columnChanges } from './column-changes.ts'
import { definitionChanges } from './definition-changes.ts'
import { hasSource, type Identities, type Vars } from './identities.ts'
import { lastLoad } from './last-load.ts'
import { checkParents } from './parents.ts'
import type { Plan, PlannedAsset } from './plan.ts'
import { planSteps, type StepInput, type StepPlan } from './plan-steps.ts'
import type { EnvironmentSchemas } from './production-views.ts'
import { isIdle } from './step.ts'

export interface PlanInput {
  readonly project: Project
  readonly analysis: ProjectAnalysis
  readonly identities: Identities
  readonly environment: EnvironmentSchemas & { readonly name: string; readonly vars: Vars }
  /** Kind and place, without secrets. */
  readonly warehouse: string
  readonly state: StateSnapshot
  /** Canonical texts of deployed definitions, by definition hash, to say which keys changed. */
  readonly definitions: ReadonlyMap<string, string>
  /** The assets of the run, parents first. */
  readonly names: readonly string[]
  /** The selector as the user wrote it; undefined: all assets. */
  readonly selector: string | undefined
  /** They are all assets: what is live and not among them goes. */
  readonly full: boolean
  /** Assets whose view was dropped by hand. */
  readonly missing: ReadonlySet<string>
  readonly noIngest: boolean
  readonly allTests: boolean
  /** A preview stops before the promotion. */
  readonly promotes: boolean
  readonly hash: Hash
}

/** Throws SvcError `parent-not-built` when a selected asset reads one that has no live build. */
export function makePlan(input: PlanInput): Plan {
  return forecastPlan(input).plan
}

export interface Forecast {
  readonly plan: Plan
  /** The same with its keys and tests: what a run executes where its sources have brought nothing new. */
  readonly planned: StepPlan
}

/** Throws as `makePlan` does. */
export function forecastPlan(input: PlanInput): Forecast {
  checkParents(input.project, input.state, input.names, input.environment.name)
  const planned = planSteps(forecast(input))
  return { plan: planOf(input, planned), planned }
}

function planOf(input: PlanInput, planned: StepPlan): Plan {
  const assets = [...input.names.map(name => planAsset(name, input, planned)), ...removedAssets(input)]
  const changed = new Set(assets.filter(({ change }) => change !== 'reused').map(({ name }) => name))
  const last = input.state.history.find(run => run.status === 'deployed' && run.generation !== null)
  return {
    engine: input.project.engine,
    environment: input.environment.name,
    schema: input.environment.schema,
    warehouse: input.warehouse,
    selector: input.selector,
    assets,
    steps: planned.steps,
    leftBehind: input.full ? [] : leftBehind(input.project, input.state, input.names, changed),
    exposures: exposuresOf(input.project, changed),
    nothingToDo: planned.steps.every(isIdle),
    lastDeployment:
      last?.finished_at === null || last === undefined
        ? undefined
        : { runId: last.run_id, finishedAt: last.finished_at },
  }
}

/** What is known before anything is fetched. */
function forecast({ analysis, ...input }: PlanInput): StepInput {
  const { project, identities, state } = input
  const fetches = input.noIngest ? [] : input.names.filter(name => hasSource(assetOf(project, name)))
  const fetched = new Set(fetches)
  return {
    ...input,
    isVolatile: name => analysis.of(name)?.volatile === true,
    fetches,
    loadKey: name => lastLoad(state, name, identities.rawDefinitionHash(name))?.build_key,
    tablesOf: name => (fetched.has(name) ? [undefined] : []),
    runId: undefined,
    failed: new Set(),
  }
}

/** Names in the project's order, each once. */
export function inOrder(project: Project, names: readonly string[]): string[] {
  const wanted = new Set(names)
  return project.order.filter(name => wanted.has(name))
}

// ---------------------------------------------------------------- one asset

function planAsset(name: string, input: PlanInput, planned: StepPlan): PlannedAsset {
  const { project, analysis, identities } = input
  const asset = assetOf(project, name)
  const live = input.state.live.get(name)
  const change = planned.changes.get(name) ?? 'new'
  return {
    name,
    path: asset.path,
    change,
    fetches: hasSource(asset) && !input.noIngest,
    materialize: asset.definition.deploy.materialize,
    definitionHash: identities.definitionHash(name),
    deployedHash: live?.definition_hash,
    reason: planned.reasons.get(name),
    ...(change === 'modified' ? keysChanged(name, input) : { changedKeys: [], definitionChanges: [] }),
    ...liveSize(name, input.state),
    columnChanges:
      live === undefined || change === 'reused' ? [] : columnChanges(project, analysis, name, live.columns),
    // Only few assets are asked for theirs.
    get columns() {
      return analysis.of(name)?.columns ?? []
    },
  }
}

function keysChanged(
  name: string,
  { identities, state, definitions }: PlanInput,
): Pick<PlannedAsset, 'changedKeys' | 'definitionChanges'> {
  const deployed = state.live.get(name)?.definition_hash
  const before = deployed === undefined ? undefined : definitions.get(deployed)
  if (before === undefined) return { changedKeys: [], definitionChanges: [] }
  const after = identities.canonical(name)
  const keys = changedKeys(before, after)
  return { changedKeys: keys, definitionChanges: definitionChanges(before, after, keys) }
}

function liveSize(
  name: string,
  { live, builds }: StateSnapshot,
): Pick<PlannedAsset, 'liveRows' | 'liveSeconds'> {
  const build = builds.get(live.get(name)?.build_key ?? '')
  return { liveRows: build?.rows ?? undefined, liveSeconds: build?.seconds }
}

function removedAssets({ full, state, project }: PlanInput): PlannedAsset[] {
  if (!full) return []
  return [...state.live.values()]
    .filter(({ asset }) => !project.byName.has(asset))
    .map(live => ({
      name: live.asset,
      path: '',
      change: 'removed',
      fetches: false,
      materialize: state.builds.get(live.build_key)?.kind ?? 'table',
      definitionHash: live.definition_hash,
      deployedHash: live.definition_hash,
      reason: 'its file is gone; its view goes with this run and comes back with a rollback',
      changedKeys: [],
      definitionChanges: [],
      ...liveSize(live.asset, state),
      columnChanges: [],
      columns: live.columns,
    }))
}

function assetOf(project: Project, name: string): Asset {
  const asset = project.byName.get(name)
  if (asset === undefined) throw new Error(`no asset "${name}" in the project`)
  return asset
}

// ---------------------------------------------------------------- the whole

/** Live descendants of what changes that the selection does not hold: they stay on their old builds. */
export function leftBehind(
  project: Project,
  state: StateSnapshot,
  names: readonly string[],
  changed: ReadonlySet<string>,
): string[] {
  const selected = new Set(names)
  const reached = new Set<string>()
  const queue = names.filter(name => changed.has(name))
  for (const name of queue) {
    for (const child of project.children(name)) {
      if (selected.has(child) || reached.has(child)) continue
      reached.add(child)
      queue.push(child)
    }
  }
  return project.order.filter(name => reached.has(name) && state.live.has(name))
}

function exposuresOf(project: Project, changed: ReadonlySet<string>): Plan['exposures'] {
  return [...changed].flatMap(asset =>
    (project.byName.get(asset)?.definition.exposures ?? []).map(({ name }) => ({ name, asset })),
  )
}
