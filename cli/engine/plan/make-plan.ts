/**
 * Turns project and state into a `Plan`: what would be fetched, built, tested, promoted and dropped. Pure. It
 * assumes that sources are unchanged since their last load; a run fetches them and then plans its steps again
 * with the same function.
 */
import {
  changedKeys,
  changesToldOf,
  type Hash,
  inheritedKeys,
  lineageBook,
  markedSource,
  once,
  type Project,
  type ProjectAnalysis,
  projectFlow,
  wholeMarking,
} from '@svc/server/language'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import { type ChangedColumns, columnChanges } from './column-changes.ts'
import { definitionChanges, withoutPersonal, writtenKey } from './definition-changes.ts'
import { fateInWords, type GatheredRows, gatheredRows, goesWith, removedFrom } from './gathered-rows.ts'
import { assetOf, hasSource, type Identities, type Vars } from './identities.ts'
import { lastFailures } from './last-failures.ts'
import { lastLoad, liveBuild } from './last-load.ts'
import { checkParents } from './parents.ts'
import type { Plan, PlannedAsset } from './plan.ts'
import { planSteps, type StepInput, type StepPlan } from './plan-steps.ts'
import type { EnvironmentSchemas } from './production-views.ts'
import type { Renewal } from './renewal.ts'
import { isIdle } from './step.ts'

export interface PlanInput {
  readonly project: Project
  readonly analysis: ProjectAnalysis
  readonly identities: Identities
  readonly environment: EnvironmentSchemas & { readonly name: string; readonly vars: Vars }
  /** Kind and place of the warehouse, without secrets. */
  readonly warehouse: string
  readonly state: StateSnapshot
  /** The canonical texts of deployed definitions, by definition hash, to show which keys changed. */
  readonly definitions: ReadonlyMap<string, string>
  /** The assets of the run, parents first. */
  readonly names: readonly string[]
  /** The selector as the user wrote it; undefined means all assets. */
  readonly selector: string | undefined
  /** Whether these are all assets; live assets that are not among them are then removed. */
  readonly full: boolean
  /** The assets whose view was dropped by hand. */
  readonly missing: ReadonlySet<string>
  readonly renewal: Renewal
  readonly noIngest: boolean
  readonly allTests: boolean
  /** False for a preview, which stops before the promotion. */
  readonly promotes: boolean
  readonly hash: Hash
  /** What is known of columns that go away. */
  readonly removed: ChangedColumns['removed']
}

export interface Forecast {
  readonly plan: Plan
  /** The same with its keys and tests: what a run executes where its sources have brought nothing new. */
  readonly planned: StepPlan
}

/** Throws SvcError `parent-not-built` if a selected asset reads one that has no live build. */
export function forecastPlan(input: PlanInput): Forecast {
  checkParents(input.project, input.state, input.names, input.environment.name)
  const planned = planSteps(forecast(input))
  return { plan: planOf(input, planned), planned }
}

function planOf(input: PlanInput, planned: StepPlan): Plan {
  const { project, analysis, removed } = input
  const known: ChangedColumns = { removed, book: once(() => lineageBook(project, analysis)) }
  const assets = [...input.names.map(name => planAsset(name, input, planned, known)), ...removedAssets(input)]
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
    lastFailures: lastFailures(input.state.history, input.names),
  }
}

/** Returns the input for the steps as far as it is known before the fetch. */
function forecast({ analysis, ...input }: PlanInput): StepInput {
  const { project } = input
  const fetches = input.noIngest ? [] : input.names.filter(name => hasSource(assetOf(project, name)))
  const fetched = new Set(fetches)
  return {
    ...input,
    isVolatile: name => analysis.of(name)?.volatile === true,
    fetches,
    loadKey: name => usableLoad(name, input)?.build_key,
    loadSalt: () => undefined,
    tablesOf: name => (fetched.has(name) ? [undefined] : []),
    runId: undefined,
    failed: new Set(),
  }
}

/** Returns the names in the project's order, each once. */
export function inOrder(project: Project, names: readonly string[]): string[] {
  const wanted = new Set(names)
  return project.order.filter(name => wanted.has(name))
}

/** Returns the load that a plan builds on; undefined if there is none, it is gone, or it is to be made anew. */
function usableLoad(
  name: string,
  { state, identities, renewal, noIngest }: Omit<PlanInput, 'analysis'>,
): BuildRecord | undefined {
  if (renewal.assets.has(name) && !noIngest) return undefined
  const load = lastLoad(state, name, identities.rawDefinitionHash(name))
  return load !== undefined && renewal.damageOf(load) !== undefined ? undefined : load
}

// ---------------------------------------------------------------- one asset

function planAsset(name: string, input: PlanInput, planned: StepPlan, known: ChangedColumns): PlannedAsset {
  const { project, analysis, identities } = input
  const asset = assetOf(project, name)
  const live = input.state.live.get(name)
  const change = planned.changes.get(name) ?? 'new'
  const gathered = gatheredRows(name, input)
  return {
    name,
    path: asset.path,
    change,
    fetches: hasSource(asset) && !input.noIngest,
    told: live === undefined || input.noIngest ? undefined : changesToldOf(asset.definition.ingest),
    materialize: asset.definition.deploy.materialize,
    definitionHash: identities.definitionHash(name),
    deployedHash: live?.definition_hash,
    reason: reasonWith(planned.reasons.get(name), gathered),
    gathered,
    ...(change === 'modified' ? keysChanged(name, input) : { changedKeys: [], definitionChanges: [] }),
    ...liveSize(name, input.state),
    columnChanges:
      live === undefined || change === 'reused'
        ? []
        : columnChanges(project, analysis, name, live.columns, known),
    // Computed on demand, because few assets need their columns.
    get columns() {
      return analysis.of(name)?.columns ?? []
    },
  }
}

function reasonWith(reason: string | undefined, gathered: GatheredRows | undefined): string | undefined {
  const said = [reason, gathered && fateInWords(gathered)].filter(text => text !== undefined)
  return said.length === 0 ? undefined : said.join('; ')
}

function keysChanged(
  name: string,
  { identities, state, definitions, project, analysis }: PlanInput,
): Pick<PlannedAsset, 'changedKeys' | 'definitionChanges'> {
  const deployed = state.live.get(name)?.definition_hash
  const before = deployed === undefined ? undefined : definitions.get(deployed)
  if (before === undefined) return { changedKeys: [], definitionChanges: [] }
  const after = identities.canonical(name)
  const keys = changedKeys(before, after)
  const asset = project.byName.get(name)
  const inherited = asset?.inherited === undefined ? [] : inheritedKeys(asset, project.settings)
  const personal = keys.includes('ingest.rows') ? personalNames(name, project, analysis) : new Set<string>()
  const changes = definitionChanges(before, after, keys).map(found => {
    const change = withoutPersonal(found, personal)
    const pattern = inherited.findLast(({ property }) => writtenKey(property) === change.key)?.pattern
    return pattern === undefined ? change : { ...change, pattern }
  })
  return { changedKeys: changes.map(({ key }) => key), definitionChanges: changes }
}

/** Returns the lower-case names of the personal columns that an asset has, and that its source has. */
function personalNames(name: string, project: Project, analysis: ProjectAnalysis): ReadonlySet<string> {
  const flow = projectFlow(project, analysis, wholeMarking(project.glossary.policies))
  const own = (analysis.of(name)?.columns ?? []).map(column => column.name)
  const personal = own.filter(column => flow.of(name, column)?.grade === 'personal')
  const marked = markedSource(project.byName.get(name)?.definition.contract)
  return new Set([...personal, ...marked].map(column => column.toLowerCase()))
}

function liveSize(name: string, state: StateSnapshot): Pick<PlannedAsset, 'liveRows' | 'liveSeconds'> {
  const build = liveBuild(state, name)
  return { liveRows: build?.rows ?? undefined, liveSeconds: build?.seconds }
}

function removedAssets({ full, state, project, definitions }: PlanInput): PlannedAsset[] {
  if (!full) return []
  return removedFrom(state, project).map(live => {
    const loses = goesWith(state, live.asset, definitions.get(live.definition_hash))
    return {
      name: live.asset,
      path: '',
      change: 'removed',
      fetches: false,
      materialize: state.builds.get(live.build_key)?.kind ?? 'table',
      definitionHash: live.definition_hash,
      deployedHash: live.definition_hash,
      reason: `its file is gone; this run removes its view, and a rollback brings it back${loses === undefined ? '' : `: ${loses}`}`,
      loses,
      changedKeys: [],
      definitionChanges: [],
      ...liveSize(live.asset, state),
      columnChanges: [],
      columns: live.columns,
    }
  })
}

// ---------------------------------------------------------------- the whole plan

/** Returns live descendants of changed assets that are not selected, and so stay on their old builds. */
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
