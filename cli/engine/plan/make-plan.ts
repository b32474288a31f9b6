/**
 * Project and state in, `Plan` out: what would be fetched, built, tested, promoted and dropped. Pure. A source is
 * taken to hold what was loaded last; a run finds out and then decides with the same functions.
 */
import type { AssetChange } from '@svc/server/contract'
import { type Asset, changedKeys, type Hash, type Project, type ProjectAnalysis } from '@svc/server/language'
import type { StateSnapshot, ViewRecord } from '../state/state.ts'
import { columnChanges } from './column-changes.ts'
import { definitionChanges } from './definition-changes.ts'
import { buildKeys, hasSource, type Identities, identitiesOf, type Vars } from './identities.ts'
import { lastLoad } from './last-load.ts'
import { checkParents } from './parents.ts'
import type { Plan, PlannedAsset, Stage } from './plan.ts'
import { planTests } from './plan-tests.ts'
import { pointerMoves } from './pointers.ts'

export interface PlanInput {
  readonly project: Project
  readonly analysis: ProjectAnalysis
  readonly environment: {
    readonly name: string
    readonly schema: string
    readonly schemaFor: (base: string) => string
    readonly vars: Vars
  }
  /** Kind and place, without secrets. */
  readonly warehouse: string
  readonly state: StateSnapshot
  /** Canonical texts of deployed definitions, by definition hash, to say which keys changed. */
  readonly definitions: ReadonlyMap<string, string>
  /** The selected names; undefined: all assets. */
  readonly names: readonly string[] | undefined
  /** The selector as the user wrote it. */
  readonly selector: string | undefined
  readonly noIngest: boolean
  readonly allTests: boolean
  /** A preview stops before the promotion. */
  readonly promotes: boolean
  readonly hash: Hash
}

/** Throws SvcError `parent-not-built` when a selected asset reads one that has no live build. */
export function makePlan(input: PlanInput): Plan {
  const facts = gather(input)
  const assets = [...facts.names.map(name => planAsset(name, facts)), ...removedAssets(facts)]
  const changed = new Set(assets.filter(({ change }) => change !== 'reused').map(({ name }) => name))
  const stages = stagesOf(facts)
  const last = input.state.history.find(run => run.status === 'deployed' && run.generation !== null)
  return {
    engine: input.project.engine,
    environment: input.environment.name,
    schema: input.environment.schema,
    warehouse: input.warehouse,
    selector: input.selector,
    assets,
    stages,
    leftBehind: input.names === undefined ? [] : leftBehind(input.project, input.state, facts.names, changed),
    exposures: exposuresOf(input.project, changed),
    nothingToDo: stages.every(isIdle),
    lastDeployment:
      last?.finished_at === null || last === undefined
        ? undefined
        : { runId: last.run_id, finishedAt: last.finished_at },
  }
}

interface Facts {
  readonly input: PlanInput
  readonly names: readonly string[]
  readonly selected: ReadonlySet<string>
  readonly identities: Identities
  readonly keys: ReadonlyMap<string, string>
  /** The whole new map. */
  readonly map: ReadonlyMap<string, string | undefined>
}

function gather(input: PlanInput): Facts {
  const { project, state, hash } = input
  const names = input.names === undefined ? project.order : inOrder(project, input.names)
  checkParents(project, state, names, input.environment.name)
  const identities = identitiesOf(project, input.environment.vars, hash)
  const keys = buildKeys({
    project,
    identities,
    names,
    liveKey: name => state.live.get(name)?.build_key,
    rawKey: name => lastLoad(state, name, identities.rawDefinitionHash(name))?.build_key,
    salt: name => (input.analysis.of(name)?.volatile === true ? 'unknown' : undefined),
    hash,
  })
  const map = newMap(state, names, keys, input.names === undefined)
  return { input, names, selected: new Set(names), identities, keys, map }
}

/** Names in the project's order, each once. */
export function inOrder(project: Project, names: readonly string[]): string[] {
  const wanted = new Set(names)
  return project.order.filter(name => wanted.has(name))
}

/** The map after a run: a full run holds the project and nothing else, a partial one changes what it selects. */
export function newMap(
  state: StateSnapshot,
  names: readonly string[],
  keys: ReadonlyMap<string, string>,
  full: boolean,
): Map<string, string | undefined> {
  const map = new Map<string, string | undefined>()
  if (!full) for (const [name, live] of state.live) map.set(name, live.build_key)
  for (const name of names) map.set(name, keys.get(name))
  return map
}

// ---------------------------------------------------------------- one asset

function planAsset(name: string, facts: Facts): PlannedAsset {
  const { input, identities } = facts
  const asset = assetOf(input.project, name)
  const live = input.state.live.get(name)
  const change = changeOf(name, facts)
  const definition = identities.definitionHash(name)
  return {
    name,
    path: asset.path,
    change,
    fetches: hasSource(asset) && !input.noIngest,
    materialize: asset.definition.deploy.materialize,
    definitionHash: definition,
    deployedHash: live?.definition_hash,
    reason: reasonOf(name, change, facts),
    ...(change === 'modified' ? keysChanged(name, facts) : { changedKeys: [], definitionChanges: [] }),
    ...liveSize(name, input.state),
    columnChanges:
      live === undefined || change === 'reused'
        ? []
        : columnChanges(input.project, input.analysis, name, live.columns),
    // Of few assets anybody asks.
    get columns() {
      return input.analysis.of(name)?.columns ?? []
    },
  }
}

function changeOf(name: string, { input, identities, keys }: Facts): AssetChange {
  const live = input.state.live.get(name)
  if (live === undefined) return 'new'
  if (live.definition_hash !== identities.definitionHash(name)) return 'modified'
  if (keys.get(name) === live.build_key) return 'reused'
  return input.analysis.of(name)?.volatile === true ? 'volatile' : 'rebuilt'
}

function reasonOf(name: string, change: AssetChange, facts: Facts): string | undefined {
  if (change === 'volatile') return 'its SQL asks for the time or for chance, so its result is never reused'
  if (change !== 'rebuilt') return undefined
  const { input, keys } = facts
  const moved = input.project
    .parents(name)
    .filter(parent => facts.selected.has(parent))
    .filter(parent => keys.get(parent) !== input.state.live.get(parent)?.build_key)
  if (moved.length > 0) return `because ${moved.join(', ')} changed`
  return 'because its live build rests on older inputs'
}

function keysChanged(
  name: string,
  { input, identities }: Facts,
): Pick<PlannedAsset, 'changedKeys' | 'definitionChanges'> {
  const deployed = input.state.live.get(name)?.definition_hash
  const before = deployed === undefined ? undefined : input.definitions.get(deployed)
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

function removedAssets({ input }: Facts): PlannedAsset[] {
  if (input.names !== undefined) return []
  return [...input.state.live.values()]
    .filter(({ asset }) => !input.project.byName.has(asset))
    .map(live => ({
      name: live.asset,
      path: '',
      change: 'removed',
      fetches: false,
      materialize: input.state.builds.get(live.build_key)?.kind ?? 'table',
      definitionHash: live.definition_hash,
      deployedHash: live.definition_hash,
      reason: 'its file is gone; its view goes with this run and comes back with a rollback',
      changedKeys: [],
      definitionChanges: [],
      ...liveSize(live.asset, input.state),
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

function stagesOf(facts: Facts): Stage[] {
  const { input, names, keys } = facts
  const sources = names.filter(name => hasSource(assetOf(input.project, name)))
  const reuse = names.filter(name => input.state.builds.has(keys.get(name) ?? ''))
  const reused = new Set(reuse)
  const tests = planTests({
    ...input,
    definitionHash: facts.identities.definitionHash,
    vars: input.environment.vars,
    names,
    keys: facts.map,
  })
  const stages: Stage[] = [
    { kind: 'fetch', assets: input.noIngest ? [] : sources },
    { kind: 'build', assets: names.filter(name => !reused.has(name)), reuse },
    {
      kind: 'test',
      tests: tests
        .filter(({ standing }) => standing === undefined)
        .map(({ asset, test }) => ({ asset: asset.name, name: test.name })),
    },
  ]
  return input.promotes ? [...stages, promoteStage(facts), { kind: 'collect' }] : stages
}

function promoteStage({ input, selected, map }: Facts): Stage {
  const moves = pointerMoves({
    state: input.state,
    keys: map,
    viewOf: name => plannedView(input, selected, name),
  })
  return {
    kind: 'promote',
    views: moves.views.map(({ asset }) => asset),
    drops: moves.drops.map(({ asset }) => asset),
  }
}

function plannedView(
  input: PlanInput,
  selected: ReadonlySet<string>,
  name: string,
): ViewRecord['view'] | undefined {
  const asset = input.project.byName.get(name)
  if (!selected.has(name) || asset === undefined) return input.state.views.get(name)
  return productionView(asset, input.environment)
}

/** Where an asset's production view belongs; undefined for an ephemeral one. */
export function productionView(
  asset: Asset,
  environment: { readonly schema: string; readonly schemaFor: (base: string) => string },
): ViewRecord['view'] | undefined {
  const { materialize, schema } = asset.definition.deploy
  if (materialize === 'ephemeral') return undefined
  return {
    schema: schema === undefined ? environment.schema : environment.schemaFor(schema),
    name: asset.name,
  }
}

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

/** A stage that leaves the warehouse as it is; sources are fetched in every run, to see whether they changed. */
function isIdle(stage: Stage): boolean {
  if (stage.kind === 'build') return stage.assets.length === 0
  if (stage.kind === 'test') return stage.tests.length === 0
  if (stage.kind === 'promote') return stage.views.length === 0 && stage.drops.length === 0
  return true
}
