/**
 * The shadow catalogue: remembers what it found out about each asset and looks again only at what changed and at what
 * depends on changed columns. Calls wait for each other; an instance of DuckDB that is lost is opened anew.
 */
import type {
  AnalyzeOptions,
  Asset,
  Catalog,
  Engine,
  JsonScalar,
  Project,
  ProjectAnalysis,
  SourceShapes,
} from '../language/index.ts'
import { nearestAssets } from '../language/project/asset-names.ts'
import { hasUnitTests } from '../language/unit/unit-case.ts'
import { type Bench, bindLevel } from './bind-level.ts'
import { type Bound, nothingBound } from './bound.ts'
import { type Change, changesBetween, snapshotOf } from './changes.ts'
import type { KnownNames } from './diagnose/treatment.ts'
import { isGood, newEntry, shapeForReaders } from './entry.ts'
import { believed, type Surroundings } from './found-columns.ts'
import { type Graph, inCycle } from './graph.ts'
import { type Guard, newGuard } from './guard.ts'
import { type Limits, sameLimits } from './limits.ts'
import { type CatalogMemory, emptyMemory } from './memory.ts'
import { once } from './once.ts'
import { type FoundByAsset, nothingFound, type Outside } from './outside.ts'
import { memoryOf, recall, wholeMemory } from './recall.ts'
import { addTo } from './sets-by-key.ts'
import { type Shape, sameShape } from './shape.ts'
import { reaches } from './stand-ins.ts'
import { freshState, type State } from './state.ts'
import type { World } from './statement.ts'
import { checkTests, hasTestSql } from './tests-sql.ts'
import { isLossDiagnostic } from './too-expensive.ts'
import type { UnitTask } from './unit/unit-bench.ts'

interface Options {
  /** Assets bound in one call. */
  readonly batchSize?: number
  /** What a statement may take; default: what `svc.yaml` says. */
  readonly limits?: Limits
  /** What `remember` of another catalogue of this version gave. */
  readonly memory?: CatalogMemory | undefined
  /** Statements that load extensions of the engine. */
  readonly load?: readonly string[]
  /**
   * Who reads an asset that does not bind is checked against the columns that it had last: for an editor, in which
   * somebody is typing. Without it the same files have the same problems, whatever they were before.
   */
  readonly remembersColumns?: boolean
  /** What the last run found; asked for at each call, and the same map as long as nothing else was found. */
  readonly found?: () => FoundByAsset
}

export interface ShadowCatalog extends Catalog {
  /**
   * What is known of the last snapshot, for a catalogue to come; undefined where that is what it began with.
   * `mayKeep` false: what is said of this asset may hold what must not be written down.
   */
  remember(mayKeep: (asset: Asset) => boolean): CatalogMemory | undefined
  /** Whether the last analysis says of this asset what the memory said, and has not found it out anew. */
  isRemembered(name: string): boolean
  /** Assets whose SQL was looked at so far, each time counted, and those that are to be looked at yet. */
  work(): { readonly done: number; readonly waiting: ReadonlySet<string> }
  /** Opens DuckDB in the background, where an analysis is sure to need it. */
  begin(): void
}

const defaultBatchSize = 50

/** `engine`: of the projects that it is asked about. One of another engine needs another catalogue. */
export async function openCatalog(engine: Engine, options: Options = {}): Promise<ShadowCatalog> {
  const load = options.load ?? []
  const remembersColumns = options.remembersColumns === true
  const state = freshState({ engine, load, remembersColumns })
  const memory = options.memory ?? emptyMemory
  const batchSize = options.batchSize ?? defaultBatchSize
  let last: Promise<unknown> = Promise.resolve()
  let isSettled = false

  /** The same one for the same snapshot: who asks in parts sees that nothing has changed. */
  let whole: { readonly of: readonly unknown[]; readonly analysis: ProjectAnalysis } | undefined
  const remembered = (project: Project, outside: Outside): ProjectAnalysis | undefined => {
    const of = [project, outside.sources, outside.found]
    if (whole?.of.every((part, index) => part === of[index])) return whole.analysis
    const analysis = wholeMemory(memory, project, outside, load)
    whole = analysis && { of, analysis }
    return analysis
  }
  const analyze = async (
    project: Project,
    sources: SourceShapes,
    wanted: AnalyzeOptions | undefined,
  ): Promise<ProjectAnalysis> => {
    refuseOther(engine, project)
    const outside = { sources, found: options.found?.() ?? nothingFound }
    if (!isSettled) {
      const known = wanted?.unitTests === 'all' ? undefined : remembered(project, outside)
      if (known !== undefined) return known
      whole = undefined
      recall(state, memory, project, outside)
    }
    useLimits(state, options.limits ?? project.settings.limits.sql)
    const found = await analyzeOnce(state, { project, outside, batchSize }, wanted)
    isSettled = true
    return found
  }
  return {
    analyze(project, sources, wanted) {
      const next = last.then(() => analyze(project, sources, wanted))
      last = next.catch(() => undefined)
      return next
    },
    remember(mayKeep) {
      if (!isSettled || state.snapshot === undefined) return undefined
      return memoryOf(state, state.snapshot, mayKeep)
    },
    isRemembered(name) {
      if (!isSettled) return whole !== undefined && memory.entries.has(name)
      return !state.stale.has(name) && state.entries.get(name)?.kept !== undefined
    },
    work: () => ({ done: state.looks, waiting: waitingIn(state) }),
    begin() {
      state.binder.begin()
    },
    close() {
      state.binder.close()
      state.units.close()
    },
  }
}

function refuseOther(own: Engine, { engine }: Project): void {
  if (engine !== own)
    throw new Error(
      `a catalogue of ${own.label} was asked about a project of ${engine.label}: open another one`,
    )
}

/** What went over the old limits is looked at again. */
function useLimits(state: State, limits: Limits): void {
  if (sameLimits(limits, state.limits)) return
  state.limits = limits
  state.losses.clear()
  for (const name of state.entries.keys())
    if (state.entries.get(name)?.analysis.diagnostics.some(isLossDiagnostic)) {
      state.stale.add(name)
      state.staleTests.add(name)
      state.staleUnits.add(name)
    }
  state.units.close()
  state.units.forget()
  if (state.binder.setLimits(limits)) state.tables.forget()
}

interface Subject {
  readonly project: Project
  readonly outside: Outside
  readonly batchSize: number
}

async function analyzeOnce(
  state: State,
  { project, outside, batchSize }: Subject,
  options: AnalyzeOptions | undefined,
): Promise<ProjectAnalysis> {
  note(state, changesBetween(state.snapshot, project, outside), project)
  state.snapshot = snapshotOf(project, outside)
  const wanted = options?.names && withAncestors(state.graph, options.names)
  const task: Task = {
    state,
    world: worldOf(state, project, outside),
    names: namesOf(state, project),
    batchSize,
    guard: guardOf(state),
    isWanted: name => wanted === undefined || wanted.has(name),
    isAborted: () => options?.signal?.aborted === true,
    assetOf: name => project.byName.get(name),
  }
  if (options?.unitTests !== 'none') beginUnits(task)
  await bindStale(task)
  if (!task.isAborted()) await bindStaleTests(task)
  if (options?.unitTests === 'all') markUnits(task)
  if (options?.unitTests !== 'none') await runStaleUnits(task)
  return state.entries.analysis(state.stale)
}

interface Task {
  readonly state: State
  readonly world: World
  readonly names: KnownNames
  readonly batchSize: number
  readonly guard: Guard
  readonly isWanted: (name: string) => boolean
  readonly isAborted: () => boolean
  readonly assetOf: (name: string) => Asset | undefined
}

function guardOf(state: State): Guard {
  return newGuard(state.limits, state.losses, () => {
    state.binder.reopen()
    state.tables.forget()
  })
}

// ---------------------------------------------------------------- what changed

function note(state: State, change: Change, project: Project): void {
  const { graph, written, stale, staleTests, staleUnits, entries } = state
  const comeOrGone = new Set(change.removed)
  for (const { name } of change.changed) if (!entries.has(name)) comeOrGone.add(name)
  for (const name of comeOrGone) markReaders(state, name)
  const readers = new Set([...comeOrGone].flatMap(name => [...written.childrenOf(name)]))
  let isRewired = comeOrGone.size > 0
  for (const { name, reads, testReads } of change.changed) {
    if (written.set(name, reads)) isRewired = true
    readers.add(name)
    stale.add(name)
    staleTests.add(name)
    for (const other of testReads) addTo(state.testReaders, other, name)
  }
  for (const name of change.removed) {
    for (const part of [graph, written, entries, state.tables, state.standIns]) part.remove(name)
    stale.delete(name)
    staleTests.delete(name)
    staleUnits.delete(name)
  }
  if (isRewired) for (const name of state.standIns.readers()) readers.add(name)
  if (change.changed.length + change.removed.length > 0) forgetMeant(state, readers)
  placeStandIns(state, project, readers)
  for (const name of graph.settle()) {
    stale.add(name)
    markReaders(state, name)
  }
}

/** Which asset was meant is found out anew, as a fresh catalogue would. */
function forgetMeant(state: State, readers: Set<string>): void {
  for (const name of state.meant.keys()) {
    readers.add(name)
    state.stale.add(name)
  }
  state.meant.clear()
}

/** `readers`: those whose stand-ins may be others now. What an asset reads, stand-ins included, is the graph. */
function placeStandIns(state: State, project: Project, readers: ReadonlySet<string>): void {
  const exists = (name: string): boolean => project.byName.has(name)
  for (const name of readers) {
    if (!exists(name)) continue
    const reads = state.standIns.place(name, state.written.parentsOf(name), exists, missing =>
      nearestAssets(project, missing),
    )
    if (state.graph.set(name, reads)) state.stale.add(name)
  }
}

/** Those that read a changed asset; a reader that is gone since is passed over when its turn comes. */
function markReaders(state: State, name: string): void {
  for (const child of state.graph.childrenOf(name)) {
    state.stale.add(child)
    state.onStale?.(child)
  }
  for (const reader of state.testReaders.get(name) ?? []) state.staleTests.add(reader)
}

function withAncestors(graph: Graph, names: readonly string[]): ReadonlySet<string> {
  const wanted = new Set<string>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (wanted.has(name)) continue
    wanted.add(name)
    waiting.push(...graph.parentsOf(name))
  }
  return wanted
}

// ---------------------------------------------------------------- what statements may name

/** Members of cycles do not know each other: else it would matter where one begins. */
function worldOf(state: State, project: Project, { sources, found }: Outside): World {
  const shapeOf = (asset: string): Shape | undefined =>
    state.graph.levelOf(asset) === inCycle ? undefined : readShape(state, asset)
  const around: Surroundings = {
    settings: project.settings,
    columnsOf: name => shapeOf(name)?.columns,
    rawTables: asset => sources.get(asset),
  }
  return {
    engine: state.engine,
    shapeOf,
    found(name) {
      const [columns, asset] = [found.get(name), project.byName.get(name)]
      return columns && asset && believed(columns, asset, around, state.engine)
    },
    standIn(reader, missing) {
      const name = state.standIns.of(reader, missing)
      return name === undefined ? undefined : shapeOf(name)
    },
    ownShape(asset) {
      const entry = state.entries.get(asset)
      return entry?.bound.isUnsure ? entry.bound.shape : shapeOf(asset)
    },
    rawTables: asset => sources.get(asset),
    varValue: name => varValue(project, name),
    meant(reader, name) {
      const [asset] = nearestAssets(project, name)
      if (asset === undefined || asset === reader) return undefined
      // Only of what the reader may read without a circle: else it would matter which is bound first.
      if (state.graph.levelOf(asset) < state.graph.levelOf(reader)) {
        const shape = readShape(state, asset)
        return shape && { asset, shape }
      }
      addTo(state.meant, reader, asset)
      return undefined
    },
  }
}

function readShape(state: State, asset: string): Shape | undefined {
  const entry = state.entries.get(asset)
  return entry && shapeForReaders(entry)
}

function varValue(project: Project, name: string): JsonScalar | undefined {
  const { vars, environments } = project.settings
  if (Object.hasOwn(vars, name)) return vars[name]
  return Object.values(environments).find(environment => Object.hasOwn(environment.vars, name))?.vars[name]
}

function namesOf(state: State, project: Project): KnownNames {
  return {
    extensions: project.settings.extensions.map(({ name }) => name),
    nearestAssets: name => nearestAssets(project, name),
    ensure: relations => state.tables.ensure(relations),
    functions: once(() => state.binder.functionNames()),
  }
}

// ---------------------------------------------------------------- binding

/** Level by level: within one, no asset reads another. What a level changes makes only later ones stale. */
async function bindStale(task: Task): Promise<void> {
  const { state } = task
  for (const name of state.stale) if (!task.assetOf(name)) state.stale.delete(name)
  const levels = new Map<number, Set<string>>()
  state.onStale = name => addTo(levels, state.graph.levelOf(name), name)
  for (const name of state.stale) state.onStale(name)
  for (
    let level = 0;
    levels.size > 0 && !task.isAborted();
    level = levels.size === 1 && levels.has(inCycle) ? inCycle : level + 1
  ) {
    const isDue = (name: string) => state.stale.has(name) && state.graph.levelOf(name) === level
    const names = [...(levels.get(level) ?? [])].filter(name => isDue(name) && task.isWanted(name))
    levels.delete(level)
    await bindNames(task, names)
    if (readMeant(state, names)) for (const name of state.stale) state.onStale(name)
  }
  state.onStale = undefined
}

/** Those of `names` that wait for an asset which they seem to mean are bound again after it. */
function readMeant(state: State, names: readonly string[]): boolean {
  const waiting = names.filter(name => {
    const reads = state.graph.parentsOf(name)
    const meant = [...(state.meant.get(name) ?? [])].filter(
      other => !reads.includes(other) && !reaches(state.graph, name, other),
    )
    return meant.length > 0 && state.graph.set(name, [...reads, ...meant])
  })
  if (waiting.length === 0) return false
  state.graph.settle()
  for (const name of waiting) state.stale.add(name)
  return true
}

async function bindNames(task: Task, names: readonly string[]): Promise<void> {
  const assets = names.flatMap(name => task.assetOf(name) ?? [])
  const byName = new Map(assets.map(asset => [asset.name, asset]))
  await bindLevel(benchOf(task), assets, (name, bound) => settle(task, byName.get(name), bound))
  for (const asset of assets) if (!asset.sql) settle(task, asset, nothingBound)
}

function benchOf({ state, world, names, batchSize, guard, isAborted }: Task): Bench {
  return { binder: state.binder, tables: state.tables, world, names, batchSize, guard, isAborted }
}

function settle({ state }: Task, asset: Asset | undefined, bound: Bound): void {
  if (asset === undefined) return
  const { name } = asset
  const before = state.entries.get(name)
  const known = state.remembersColumns ? before?.lastGood : undefined
  const lastGood = isGood(asset, bound) ? bound.shape : known
  const entry = newEntry(name, { bound, tests: before?.tests, units: undefined, lastGood })
  state.entries.set(name, entry)
  state.looks += 1
  state.stale.delete(name)
  state.staleUnits.add(name)
  const shape = shapeForReaders(entry)
  if (before && sameShape(shapeForReaders(before), shape)) return
  state.tables.set(name, shape)
  state.staleTests.add(name)
  markReaders(state, name)
}

async function bindStaleTests(task: Task): Promise<void> {
  const { state } = task
  const shapeOf = (name: string) => readShape(state, name)
  const ready = [...state.staleTests].filter(name => task.isWanted(name) && !state.stale.has(name))
  const assets = ready.flatMap(name => task.assetOf(name) ?? []).filter(asset => needsTests(state, asset))
  for (const name of ready) state.staleTests.delete(name)
  if (assets.length === 0) return
  const found = await checkTests({ ...benchOf(task), world: { ...task.world, shapeOf } }, assets)
  for (const [name, tests] of found) {
    const entry = state.entries.get(name)
    if (entry) state.entries.set(name, newEntry(name, { ...entry, tests }))
  }
}

function waitingIn(state: State): ReadonlySet<string> {
  const waiting = new Set(state.stale)
  for (const name of state.staleTests) {
    const asset = state.snapshot?.assets.get(name)
    if (asset !== undefined && needsTests(state, asset)) waiting.add(name)
  }
  return waiting
}

/** One that has tests' SQL now, or had some before. */
function needsTests(state: State, asset: Asset): boolean {
  return state.entries.get(asset.name)?.tests !== undefined || hasTestSql(asset)
}

// ---------------------------------------------------------------- unit tests

function markUnits({ state, isWanted, assetOf }: Task): void {
  state.units.forget()
  for (const name of state.entries.keys()) {
    const asset = isWanted(name) ? assetOf(name) : undefined
    if (asset !== undefined && hasUnitTests(asset)) state.staleUnits.add(name)
  }
}

/** A process needs time to begin, which is there while SQL is bound. */
function beginUnits({ state, isWanted, assetOf }: Task): void {
  for (const name of state.stale) {
    const asset = isWanted(name) ? assetOf(name) : undefined
    if (asset === undefined || !hasUnitTests(asset)) continue
    state.units.begin(state.limits)
    return
  }
}

/** Of assets that are bound; those of the others wait for them. */
async function runStaleUnits(task: Task): Promise<void> {
  const { state, world, isAborted } = task
  const due: UnitTask[] = []
  for (const name of state.staleUnits) {
    if (!task.isWanted(name) || state.stale.has(name)) continue
    const asset = task.assetOf(name)
    const bound = state.entries.get(name)?.bound
    if (asset !== undefined && bound !== undefined && hasUnitTests(asset)) due.push({ asset, bound })
    else state.staleUnits.delete(name)
  }
  if (due.length === 0) return
  const around = { world, binder: state.binder, isAborted, limits: state.limits }
  await state.units.run(due, around, ({ asset, bound }, results) => {
    const { tests, lastGood } = state.entries.get(asset.name) ?? { tests: undefined, lastGood: undefined }
    state.entries.set(asset.name, newEntry(asset.name, { bound, tests, units: results, lastGood }))
    state.staleUnits.delete(asset.name)
  })
}
