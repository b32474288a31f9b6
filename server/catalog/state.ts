/** What a catalogue holds between two calls. */
import type { AssetAnalysis, Engine, UnitTestResult } from '../language/index.ts'
import { type LazyBinder, lazyBinder } from './binder.ts'
import type { Bound } from './bound.ts'
import type { Snapshot } from './changes.ts'
import { type Entries, newEntries } from './entries.ts'
import { type Graph, newGraph } from './graph.ts'
import type { LossMemory } from './guard.ts'
import { defaultLimits, type Limits } from './limits.ts'
import type { KeptAnalysis } from './memory.ts'
import type { Shape } from './shape.ts'
import { newStandIns, type StandIns } from './stand-ins.ts'
import { newTables, type Tables } from './tables.ts'
import type { TestsBound } from './tests-sql.ts'
import { newUnitBench, type UnitBench } from './unit/unit-bench.ts'

export interface Entry {
  readonly bound: Bound
  readonly tests: TestsBound | undefined
  /** Undefined: there are no unit tests, or they are to run again. */
  readonly units: readonly UnitTestResult[] | undefined
  readonly analysis: AssetAnalysis
  /** What the asset was when its SQL bound last; undefined: it never did, as far as is known. */
  readonly lastGood: Shape | undefined
  /** The texts that it was made from. */
  readonly kept?: KeptAnalysis
}

export interface State {
  /** Of the project. */
  readonly engine: Engine
  /** Statements that load extensions of the engine. */
  readonly load: readonly string[]
  /** Readers see the last good columns of what does not bind. */
  readonly remembersColumns: boolean
  readonly binder: LazyBinder
  readonly tables: Tables
  /** What transforms read, as written. */
  readonly written: Graph
  /** The same with stand-ins for what is missing. */
  readonly graph: Graph
  readonly entries: Entries
  readonly standIns: StandIns
  /** Assets that a table without ref was taken for, by the one that names it: read like parents. */
  readonly meant: Map<string, Set<string>>
  /** Whose transform is to be bound again. */
  readonly stale: Set<string>
  /** Whose tests are to be bound again. */
  readonly staleTests: Set<string>
  /** Whose unit tests are to run again. */
  readonly staleUnits: Set<string>
  readonly units: UnitBench
  /** Assets that the tests of others read. */
  readonly testReaders: Map<string, Set<string>>
  /** What went over its limits, or DuckDB did not survive. */
  readonly losses: LossMemory
  limits: Limits
  snapshot: Snapshot | undefined
  /** How many assets were bound so far. */
  looks: number
  /** Told of what becomes stale while binding. */
  onStale: ((name: string) => void) | undefined
}

export interface StateOptions {
  readonly engine: Engine
  readonly load: readonly string[]
  readonly remembersColumns: boolean
}

export function freshState({ engine, load, remembersColumns }: StateOptions): State {
  const binder = lazyBinder(engine, load)
  const written = newGraph()
  return {
    engine,
    load,
    remembersColumns,
    binder,
    tables: newTables(binder, engine),
    written,
    graph: newGraph(),
    standIns: newStandIns(written),
    meant: new Map(),
    entries: newEntries(),
    stale: new Set(),
    staleTests: new Set(),
    staleUnits: new Set(),
    units: newUnitBench(engine, load),
    testReaders: new Map(),
    losses: new Map(),
    limits: defaultLimits,
    snapshot: undefined,
    looks: 0,
    onStale: undefined,
  }
}
