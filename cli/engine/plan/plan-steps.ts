/**
 * The steps of a run: keys, tests and views, each worked out here and nowhere else. A plan asks with the loads that were
 * made last, a run once more with those that its sources have brought. Pure.
 */
import type { AssetChange } from '@svc/server/contract'
import { type Asset, type Hash, materializationOf, type Project } from '@svc/server/language'
import type { StateSnapshot } from '../state/state.ts'
import { changeOf, reasonOf } from './asset-change.ts'
import { buildKeys, hasSource, type Identities, type Vars } from './identities.ts'
import { type PlannedTest, planTests, testRefs } from './plan-tests.ts'
import { pointerMoves } from './pointers.ts'
import { type EnvironmentSchemas, productionViews } from './production-views.ts'
import type { LoadStep, PromoteStep, QueryStep, ReuseStep, Step, TestStep } from './step.ts'

export interface StepInput {
  readonly project: Project
  readonly environment: EnvironmentSchemas & { readonly vars: Vars }
  readonly identities: Identities
  readonly state: StateSnapshot
  /** The assets of the run, parents first. */
  readonly names: readonly string[]
  /** They are all assets: what is live and not among them goes. */
  readonly full: boolean
  readonly isVolatile: (name: string) => boolean
  /** Sources to fetch. */
  readonly fetches: readonly string[]
  /** Key of the load that an asset reads as its own source; undefined: not known. */
  readonly loadKey: (name: string) => string | undefined
  /** Names of the child tables that an asset's source brings, and undefined for its main one; none: nothing is fetched. */
  readonly tablesOf: (name: string) => readonly (string | undefined)[]
  /** Makes the keys of volatile SQL unlike any other; undefined: they are not known. */
  readonly runId: string | undefined
  /** Assets that have failed already, and those that wait for them. */
  readonly failed: ReadonlySet<string>
  /** Assets whose view was dropped by hand. */
  readonly missing: ReadonlySet<string>
  readonly allTests: boolean
  /** A preview stops before the promotion. */
  readonly promotes: boolean
  readonly hash: Hash
}

export interface StepPlan {
  /** Build keys of the run's assets; one whose inputs are not all known has none. */
  readonly keys: ReadonlyMap<string, string>
  /** What becomes of each asset of the run. */
  readonly changes: ReadonlyMap<string, AssetChange>
  /** Why, in words, where the change does not say it all. */
  readonly reasons: ReadonlyMap<string, string>
  /** All tests that count, also those whose last result stands. */
  readonly tests: readonly PlannedTest[]
  readonly steps: readonly Step[]
}

export function planSteps(input: StepInput): StepPlan {
  const keys = keysOf(input)
  const map = newMap(input, keys)
  const { changes, reasons } = changesOf(input, keys)
  const tests = planTests({ ...input, ...input.identities, vars: input.environment.vars, keys: map })
  const steps = [
    ...input.fetches.map((asset): Step => ({ kind: 'fetch', id: fetchId(asset), after: [], asset })),
    ...buildSteps(input, keys, reasons),
    ...tests.filter(({ standing }) => standing === undefined).map(testStep),
    ...(input.promotes ? [promoteStep(input, map), collectStep] : []),
  ]
  return { keys, changes, reasons, tests, steps }
}

function changesOf(input: StepInput, keys: ReadonlyMap<string, string>) {
  const facts = { ...input, keys, selected: new Set(input.names) }
  const changes = new Map<string, AssetChange>()
  const reasons = new Map<string, string>()
  for (const name of input.names) {
    const change = changeOf(name, facts)
    const reason = reasonOf(name, change, facts)
    changes.set(name, change)
    if (reason !== undefined) reasons.set(name, reason)
  }
  return { changes, reasons }
}

const collectStep: Step = { kind: 'collect', id: 'collect', after: [] }

function keysOf({ state, runId, ...input }: StepInput): Map<string, string> {
  return buildKeys({
    ...input,
    liveKey: name => state.live.get(name)?.build_key,
    rawKey: input.loadKey,
    salt: name => (input.isVolatile(name) ? (runId ?? 'unknown') : undefined),
  })
}

/** The map after a run: a full run holds the project and nothing else, a partial one changes what it selects. */
function newMap(
  { state, names, full }: StepInput,
  keys: ReadonlyMap<string, string>,
): Map<string, string | undefined> {
  const map = new Map<string, string | undefined>()
  if (!full) for (const [name, live] of state.live) map.set(name, live.build_key)
  for (const name of names) map.set(name, keys.get(name))
  return map
}

// ---------------------------------------------------------------- builds

function buildSteps(
  input: StepInput,
  keys: ReadonlyMap<string, string>,
  reasons: ReadonlyMap<string, string>,
): Step[] {
  const { project, state, failed } = input
  return input.names.flatMap((name): Step[] => {
    const asset = project.byName.get(name)
    if (asset === undefined || failed.has(name)) return []
    const key = keys.get(name)
    const reason = reasons.get(name)
    if (key !== undefined && state.builds.has(key)) return [reuseStep(name, key, reason)]
    const loads = loadSteps(asset, input)
    return [...loads, queryStep(asset, key, loads, reason, input)]
  })
}

function reuseStep(asset: string, key: string, reason: string | undefined): ReuseStep {
  return { kind: 'reuse', id: queryId(asset), after: [], asset, key, reason }
}

function queryStep(
  asset: Asset,
  key: string | undefined,
  loads: readonly LoadStep[],
  reason: string | undefined,
  { project, loadKey }: StepInput,
): QueryStep {
  return {
    kind: materializationOf(asset.definition.deploy.materialize).relation,
    id: queryId(asset.name),
    after: [...loads.map(({ id }) => id), ...project.parents(asset.name).map(queryId)],
    asset: asset.name,
    key,
    load: hasSource(asset) ? loadKey(asset.name) : undefined,
    reason,
  }
}

/** The tables that are not there yet. The main one comes last, because its record speaks for all of them. */
function loadSteps(asset: Asset, { loadKey, tablesOf, state }: StepInput): LoadStep[] {
  if (!hasSource(asset)) return []
  const { name } = asset
  const key = loadKey(name)
  if (key !== undefined && state.builds.has(key)) return []
  const tables = tablesOf(name)
  const children = tables.filter(child => child !== undefined)
  const ids = children.map(child => `load ${name} ${child}`)
  const step = (id: string, child: string | undefined, after: readonly string[]): LoadStep => {
    return { kind: 'load', id, after, asset: name, child, key }
  }
  return [
    ...children.map((child, index) => step(ids[index] ?? '', child, [fetchId(name)])),
    ...(tables.includes(undefined) ? [step(`load ${name}`, undefined, [fetchId(name), ...ids])] : []),
  ]
}

function fetchId(asset: string): string {
  return `fetch ${asset}`
}

function queryId(asset: string): string {
  return `build ${asset}`
}

// ---------------------------------------------------------------- tests and promotion

function testStep(planned: PlannedTest): TestStep {
  const [asset, test] = [planned.asset.name, planned.test.name]
  const after = testedAssets(planned).map(queryId)
  return { kind: 'test', id: `test ${asset} ${test}`, after, asset, test, key: planned.inputKey }
}

function promoteStep(input: StepInput, keys: ReadonlyMap<string, string | undefined>): PromoteStep {
  const { state, missing, project, environment, names, full } = input
  const views = productionViews({ state, project, environment, names, full })
  const moves = pointerMoves({ state, keys, missing, viewOf: name => views.get(name) })
  return { kind: 'promote', id: 'promote', after: [], moves, views: views.size }
}

/** The assets whose builds a test reads. */
export function testedAssets({ asset, test }: PlannedTest): string[] {
  return [asset.name, ...testRefs(asset, test)]
}
