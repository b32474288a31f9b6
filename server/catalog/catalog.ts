/**
 * The shadow catalogue: remembers what it found out about each asset and looks again only at what changed and at what
 * depends on changed columns. Calls wait for each other; an instance of DuckDB that is lost is opened anew.
 */
import type {
  Asset,
  AssetAnalysis,
  Catalog,
  JsonScalar,
  Project,
  ProjectAnalysis,
  SourceShapes,
} from '../language/index.ts'
import { type Bench, bindLevel } from './bind-level.ts'
import { type Binder, BinderLost, openBinder } from './binder.ts'
import { type Bound, nothingBound } from './bound.ts'
import { type Change, changesBetween, type Snapshot, snapshotOf } from './changes.ts'
import type { KnownNames } from './diagnose.ts'
import { type Graph, inCycle, newGraph } from './graph.ts'
import { type FunctionNames, readFunctions } from './known-functions.ts'
import { type Shape, sameShape } from './shape.ts'
import { newStandIns, type StandIns } from './stand-ins.ts'
import type { World } from './statement.ts'
import { newTables, type Tables } from './tables.ts'
import { checkTests, hasTestSql, type TestsBound } from './tests-sql.ts'

interface Options {
  /** Assets bound in one call. */
  readonly batchSize?: number
}

interface Entry {
  readonly bound: Bound
  readonly tests: TestsBound | undefined
  readonly analysis: AssetAnalysis
}

interface State {
  readonly binder: Binder
  readonly tables: Tables
  /** What transforms read, as written. */
  readonly written: Graph
  /** The same with stand-ins for what is missing. */
  readonly graph: Graph
  readonly entries: Map<string, Entry>
  readonly standIns: StandIns
  /** Whose transform is to be bound again. */
  readonly stale: Set<string>
  /** Whose tests are to be bound again. */
  readonly staleTests: Set<string>
  /** Assets that the tests of others read. */
  readonly testReaders: Map<string, Set<string>>
  snapshot: Snapshot | undefined
  /** Told of what becomes stale while binding. */
  onStale: ((name: string) => void) | undefined
}

type AnalyzeOptions = Parameters<Catalog['analyze']>[2]

const defaultBatchSize = 50

export async function openCatalog(options: Options = {}): Promise<Catalog> {
  let state = await freshState()
  let batchSize = options.batchSize ?? defaultBatchSize
  const poison = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()

  const analyze = async (
    project: Project,
    sources: SourceShapes,
    wanted: AnalyzeOptions,
  ): Promise<ProjectAnalysis> => {
    for (;;) {
      try {
        return await analyzeOnce(state, { project, sources, batchSize, poison }, wanted)
      } catch (error) {
        if (!(error instanceof BinderLost)) throw error
        // One by one, the next loss names the statement behind it, which is then passed over for good.
        if (batchSize === 1) poison.add(lostTo(error))
        batchSize = 1
        state = await freshState()
      }
    }
  }
  return {
    analyze(project, sources, wanted) {
      const next = last.then(() => analyze(project, sources, wanted))
      last = next.catch(() => undefined)
      return next
    },
    close: () => state.binder.close(),
  }
}

/** A loss that no statement answers for is a bug: trying again would never end. */
function lostTo(error: BinderLost): string {
  if (error.sql === undefined) throw error
  return error.sql
}

async function freshState(): Promise<State> {
  const binder = await openBinder()
  const written = newGraph()
  return {
    binder,
    tables: newTables(binder),
    written,
    graph: newGraph(),
    standIns: newStandIns(written),
    entries: new Map(),
    stale: new Set(),
    staleTests: new Set(),
    testReaders: new Map(),
    snapshot: undefined,
    onStale: undefined,
  }
}

interface Subject {
  readonly project: Project
  readonly sources: SourceShapes
  readonly batchSize: number
  /** SQL that DuckDB did not survive. */
  readonly poison: ReadonlySet<string>
}

async function analyzeOnce(
  state: State,
  { project, sources, batchSize, poison }: Subject,
  options: AnalyzeOptions,
): Promise<ProjectAnalysis> {
  note(state, changesBetween(state.snapshot, project, sources), project)
  state.snapshot = snapshotOf(project, sources)
  const wanted = options?.names && withAncestors(state.graph, options.names)
  const task: Task = {
    state,
    world: worldOf(state, project, sources),
    names: namesOf(state, project),
    batchSize,
    poison,
    isWanted: name => wanted === undefined || wanted.has(name),
    isAborted: () => options?.signal?.aborted === true,
    assetOf: name => project.byName.get(name),
  }
  await bindStale(task)
  if (!task.isAborted()) await bindStaleTests(task)
  return analysisOf(state)
}

interface Task {
  readonly state: State
  readonly world: World
  readonly names: KnownNames
  readonly batchSize: number
  readonly poison: ReadonlySet<string>
  readonly isWanted: (name: string) => boolean
  readonly isAborted: () => boolean
  readonly assetOf: (name: string) => Asset | undefined
}

// ---------------------------------------------------------------- what changed

function note(state: State, change: Change, project: Project): void {
  const { graph, written, stale, staleTests, entries } = state
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
    for (const other of testReads) addReader(state.testReaders, other, name)
  }
  for (const name of change.removed) {
    for (const part of [graph, written, entries, state.tables, state.standIns]) forget(part, name)
    stale.delete(name)
    staleTests.delete(name)
  }
  if (isRewired) for (const name of state.standIns.readers()) readers.add(name)
  placeStandIns(state, project, readers)
  for (const name of graph.settle()) {
    stale.add(name)
    markReaders(state, name)
  }
}

function forget(part: { remove(name: string): unknown } | Map<string, unknown>, name: string): void {
  if (part instanceof Map) part.delete(name)
  else part.remove(name)
}

/** `readers`: those whose stand-ins may be others now. What an asset reads, stand-ins included, is the graph. */
function placeStandIns(state: State, project: Project, readers: ReadonlySet<string>): void {
  const exists = (name: string): boolean => project.byName.has(name)
  for (const name of readers) {
    if (!exists(name)) continue
    const reads = state.standIns.place(name, state.written.parentsOf(name), exists, () =>
      project.byName.keys(),
    )
    if (state.graph.set(name, reads)) state.stale.add(name)
  }
}

function addReader(readers: Map<string, Set<string>>, name: string, reader: string): void {
  const known = readers.get(name)
  if (known) known.add(reader)
  else readers.set(name, new Set([reader]))
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
function worldOf(state: State, project: Project, sources: SourceShapes): World {
  return {
    shapeOf(asset) {
      return state.graph.levelOf(asset) === inCycle ? undefined : state.entries.get(asset)?.bound.shape
    },
    standIn(reader, missing) {
      const name = state.standIns.of(reader, missing)
      return name === undefined ? undefined : state.entries.get(name)?.bound.shape
    },
    rawTables: asset => sources.get(asset),
    varValue: name => varValue(project, name),
  }
}

function varValue(project: Project, name: string): JsonScalar | undefined {
  const { vars, environments } = project.settings
  if (Object.hasOwn(vars, name)) return vars[name]
  return Object.values(environments).find(environment => Object.hasOwn(environment.vars, name))?.vars[name]
}

function namesOf(state: State, project: Project): KnownNames {
  let functions: Promise<FunctionNames> | undefined
  return {
    assets: () => project.byName.keys(),
    shapeOf: asset => state.entries.get(asset)?.bound.shape,
    ensure: relation => state.tables.ensure([relation]),
    functions() {
      functions ??= readFunctions(state.binder)
      return functions
    },
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
    const names = [...(levels.get(level) ?? [])].filter(name => state.stale.has(name) && task.isWanted(name))
    levels.delete(level)
    await bindNames(task, names)
  }
  state.onStale = undefined
}

async function bindNames(task: Task, names: readonly string[]): Promise<void> {
  const assets = names.flatMap(name => task.assetOf(name) ?? [])
  await bindLevel(benchOf(task), assets, (name, bound) => settle(task, name, bound))
  for (const { name, sql } of assets) if (!sql) settle(task, name, nothingBound)
}

function addTo(levels: Map<number, Set<string>>, level: number, name: string): void {
  const known = levels.get(level)
  if (known) known.add(name)
  else levels.set(level, new Set([name]))
}

function benchOf({ state, world, names, batchSize, poison }: Task): Bench {
  return { binder: state.binder, tables: state.tables, world, names, batchSize, poison }
}

function settle({ state }: Task, name: string, bound: Bound): void {
  const before = state.entries.get(name)
  const tests = before?.tests
  state.entries.set(name, { bound, tests, analysis: combined(name, bound, tests) })
  state.stale.delete(name)
  if (before && sameShape(before.bound.shape, bound.shape)) return
  state.tables.set(name, bound.shape)
  state.staleTests.add(name)
  markReaders(state, name)
}

async function bindStaleTests(task: Task): Promise<void> {
  const { state } = task
  const shapeOf = (name: string): Shape | undefined => state.entries.get(name)?.bound.shape
  const ready = [...state.staleTests].filter(name => task.isWanted(name) && !state.stale.has(name))
  const assets = ready.flatMap(name => task.assetOf(name) ?? []).filter(asset => needsTests(state, asset))
  for (const name of ready) state.staleTests.delete(name)
  if (assets.length === 0) return
  const found = await checkTests({ ...benchOf(task), world: { ...task.world, shapeOf } }, assets)
  for (const [name, tests] of found) {
    const bound = state.entries.get(name)?.bound
    if (bound) state.entries.set(name, { bound, tests, analysis: combined(name, bound, tests) })
  }
}

/** One that has tests' SQL now, or had some before. */
function needsTests(state: State, asset: Asset): boolean {
  return state.entries.get(asset.name)?.tests !== undefined || hasTestSql(asset)
}

function combined(name: string, bound: Bound, tests: TestsBound | undefined): AssetAnalysis {
  let uses: AssetAnalysis['uses'] | undefined
  const { columns, lineage, volatile } = bound
  return {
    name,
    columns,
    complete: bound.shape.complete && bound.shape.also.length === 0,
    lineage,
    get uses() {
      uses ??= [...bound.uses(), ...(tests?.uses() ?? [])]
      return uses
    },
    diagnostics: tests ? [...bound.diagnostics, ...tests.diagnostics] : bound.diagnostics,
    volatile,
  }
}

/** What is known now; later calls do not change it. */
function analysisOf(state: State): ProjectAnalysis {
  const known = new Map(state.entries)
  const stale = new Set(state.stale)
  return { of: name => (stale.has(name) ? undefined : known.get(name)?.analysis) }
}
