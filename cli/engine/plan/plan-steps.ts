/**
 * Plans the steps of a run: keys, tests and views are computed only here. A plan calls this with the last
 * loads; a run calls it again with the loads that its sources delivered. Pure.
 */
import type { AssetChange } from '@svc/server/contract'
import { type Asset, forEachOf, type Hash, materializationOf, type Project } from '@svc/server/language'
import type { StateSnapshot } from '../state/state.ts'
import { changeOf, reasonOf } from './asset-change.ts'
import { assetOf, hasSource, type Identities, modelKey, type Vars } from './identities.ts'
import { liveBuild } from './last-load.ts'
import { type PlannedTest, planTests, testRefs } from './plan-tests.ts'
import { pointerMoves } from './pointers.ts'
import { type EnvironmentSchemas, productionViews } from './production-views.ts'
import { readersIn } from './readers.ts'
import { type Renewal, type SaltedKey, saltedKey } from './renewal.ts'
import type { LoadStep, PromoteStep, QueryStep, ReuseStep, Step, TestStep } from './step.ts'

export interface StepInput {
  readonly project: Project
  readonly environment: EnvironmentSchemas & { readonly vars: Vars }
  readonly identities: Identities
  readonly state: StateSnapshot
  /** The assets of the run, parents first. */
  readonly names: readonly string[]
  /** Whether these are all assets; live assets that are not among them are then removed. */
  readonly full: boolean
  readonly isVolatile: (name: string) => boolean
  /** The sources to fetch. */
  readonly fetches: readonly string[]
  /** Returns the key of the load that an asset reads as its own source; undefined if it is unknown. */
  readonly loadKey: (name: string) => string | undefined
  /** Returns the salt of that key. */
  readonly loadSalt: (name: string) => string | undefined
  readonly renewal: Renewal
  /**
   * Returns the names of the child tables that an asset's source delivers, and undefined for its main table;
   * empty if nothing is fetched.
   */
  readonly tablesOf: (name: string) => readonly (string | undefined)[]
  /** Makes the keys of volatile SQL unique; undefined if they are not known yet. */
  readonly runId: string | undefined
  /** The assets that have failed already, and those that wait for them. */
  readonly failed: ReadonlySet<string>
  /** The assets whose view was dropped by hand. */
  readonly missing: ReadonlySet<string>
  readonly allTests: boolean
  /** False for a preview, which stops before the promotion. */
  readonly promotes: boolean
  readonly hash: Hash
}

export interface StepPlan {
  /** The build keys of the run's assets; an asset whose inputs are not all known has none. */
  readonly keys: ReadonlyMap<string, string>
  /** The kind of change of each asset of the run. */
  readonly changes: ReadonlyMap<string, AssetChange>
  /** The reasons in words, if the kind of change is not explanation enough. */
  readonly reasons: ReadonlyMap<string, string>
  /** All tests that count, including those whose last result is reused. */
  readonly tests: readonly PlannedTest[]
  readonly steps: readonly Step[]
}

export function planSteps(input: StepInput): StepPlan {
  const { keys, salts } = keysOf(input)
  const map = newMap(input, keys)
  const { changes, reasons } = changesOf(input, keys)
  const tests = planTests({ ...input, ...input.identities, vars: input.environment.vars, keys: map })
  const steps = [
    ...input.fetches.map(
      (asset): Step => ({ kind: 'fetch', id: fetchId(asset), after: rowsOf(asset, input), asset }),
    ),
    ...buildSteps(input, { keys, salts, reasons }),
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

interface Keys {
  readonly keys: ReadonlyMap<string, string>
  /** The salts of the keys that have one, by asset. */
  readonly salts: ReadonlyMap<string, string>
}

/** An asset whose inputs are not all known has no key, and is certainly built. */
function keysOf(input: StepInput): Keys {
  const keys = new Map<string, string>()
  const salts = new Map<string, string>()
  const selected = new Set(input.names)
  const keyOf = (name: string) =>
    selected.has(name) ? keys.get(name) : input.state.live.get(name)?.build_key
  for (const name of input.names) {
    const plain = plainKey(name, input, keyOf)
    const salted = plain === undefined ? undefined : finalKey(name, plain, input)
    if (salted === undefined) continue
    keys.set(name, salted.key)
    if (salted.salt !== undefined) salts.set(name, salted.salt)
  }
  return { keys, salts }
}

function plainKey(
  name: string,
  { project, identities, loadKey, hash }: StepInput,
  keyOf: (name: string) => string | undefined,
): string | undefined {
  const parents = project.parents(name)
  const keys = parents.flatMap(parent => keyOf(parent) ?? [])
  const fetches = hasSource(assetOf(project, name))
  const load = fetches ? loadKey(name) : undefined
  if (keys.length < parents.length || (fetches && load === undefined)) return undefined
  return modelKey(name, identities, keys, load, hash)
}

/** Returns undefined if only a run determines the key. */
function finalKey(name: string, plain: string, input: StepInput): SaltedKey | undefined {
  const { state, runId, hash } = input
  if (!input.isVolatile(name)) return saltedKey(name, plain, liveBuild(state, name), input)
  // SQL that is never reused has another key in each run, and no salt that a later one would have.
  return runId === undefined ? undefined : { key: hash(`${plain}\n${runId}`), salt: undefined }
}

/**
 * Returns the map after a run: after a full run it contains exactly the project, after a partial run only the
 * selected assets change.
 */
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
  { keys, salts, reasons }: Keys & { readonly reasons: ReadonlyMap<string, string> },
): Step[] {
  const { project, state, failed } = input
  return input.names.flatMap((name): Step[] => {
    const asset = project.byName.get(name)
    if (asset === undefined || failed.has(name)) return []
    const key = keys.get(name)
    const reason = reasons.get(name)
    if (key !== undefined && state.builds.has(key)) return [reuseStep(name, key, reason)]
    const loads = loadSteps(asset, input)
    return [...loads, queryStep(asset, { key, salt: salts.get(name), reason }, loads, input)]
  })
}

function reuseStep(asset: string, key: string, reason: string | undefined): ReuseStep {
  return { kind: 'reuse', id: queryId(asset), after: [], asset, key, reason }
}

function queryStep(
  asset: Asset,
  facts: Pick<QueryStep, 'key' | 'salt' | 'reason'>,
  loads: readonly LoadStep[],
  { project, loadKey }: StepInput,
): QueryStep {
  return {
    kind: materializationOf(asset.definition.deploy.materialize).relation,
    id: queryId(asset.name),
    after: [...loads.map(({ id }) => id), ...project.parents(asset.name).map(queryId)],
    asset: asset.name,
    load: hasSource(asset) ? loadKey(asset.name) : undefined,
    ...facts,
  }
}

/**
 * Returns steps for tables that do not exist yet. The main table comes last, because its record covers all of
 * them.
 */
function loadSteps(asset: Asset, { loadKey, loadSalt, tablesOf, state }: StepInput): LoadStep[] {
  if (!hasSource(asset)) return []
  const { name } = asset
  const key = loadKey(name)
  if (key !== undefined && state.builds.has(key)) return []
  const tables = tablesOf(name)
  const children = tables.filter(child => child !== undefined)
  const ids = children.map(child => `load ${name} ${child}`)
  const step = (id: string, child: string | undefined, after: readonly string[]): LoadStep => {
    return { kind: 'load', id, after, asset: name, child, key, salt: loadSalt(name) }
  }
  return [
    ...children.map((child, index) => step(ids[index] ?? '', child, [fetchId(name)])),
    ...(tables.includes(undefined) ? [step(`load ${name}`, undefined, [fetchId(name), ...ids])] : []),
  ]
}

/** A source that is asked for each row of an asset waits until that one is built. */
function rowsOf(asset: string, { project }: StepInput): readonly string[] {
  const parent = forEachOf(project.byName.get(asset)?.definition.ingest)?.asset
  return parent === undefined ? [] : [queryId(parent)]
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
  return {
    kind: 'test',
    id: `test ${asset} ${test}`,
    after,
    asset,
    test,
    key: planned.inputKey,
    reason: planned.reason,
  }
}

function promoteStep(input: StepInput, keys: ReadonlyMap<string, string | undefined>): PromoteStep {
  const { state, missing, project, environment, names, full } = input
  const views = productionViews({ state, project, environment, names, full })
  const viewOf = (name: string) => views.get(name)
  const moves = pointerMoves({ state, keys, missing, viewOf, readersOf: readersIn(project, names) })
  return { kind: 'promote', id: 'promote', after: [], moves, views: views.size }
}

/** Returns the assets whose builds a test reads. */
export function testedAssets({ asset, test }: PlannedTest): string[] {
  return [asset.name, ...testRefs(asset, test)]
}
