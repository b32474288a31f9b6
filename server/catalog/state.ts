/** The state of a catalogue between two calls. */
import type { AssetAnalysis, Engine, UnitTestResult } from '../language/index.ts'
import type { SqlLimits } from '../language/project/project.ts'
import { type LazyBinder, lazyBinder } from './binder.ts'
import type { Bound } from './bound.ts'
import type { Snapshot } from './changes.ts'
import { type Entries, newEntries } from './entries.ts'
import { type Graph, newGraph } from './graph.ts'
import type { LossMemory } from './guard.ts'
import { defaultLimits } from './limits.ts'
import type { KeptAnalysis } from './memory.ts'
import type { Shape } from './shape.ts'
import { newStandIns, type StandIns } from './stand-ins.ts'
import { newTables, type Tables } from './tables.ts'
import type { TestsBound } from './tests-sql.ts'
import { newUnitRunner, type UnitRunner } from './unit/unit-runner.ts'

export interface Entry {
  readonly bound: Bound
  readonly tests: TestsBound | undefined
  /** Undefined if there are no unit tests or they must run again. */
  readonly units: readonly UnitTestResult[] | undefined
  readonly analysis: AssetAnalysis
  /** The shape when the SQL last bound; undefined if it is not known ever to have done. */
  readonly lastGood: Shape | undefined
  /** The stored texts that the entry was made from. */
  readonly kept?: KeptAnalysis
}

export interface State {
  /** The engine of the project. */
  readonly engine: Engine
  /** Statements that load extensions of the engine. */
  readonly load: readonly string[]
  /** Readers see the last good columns of an asset that does not bind. */
  readonly remembersColumns: boolean
  readonly binder: LazyBinder
  readonly tables: Tables
  /** The graph of the refs as they are written. */
  readonly written: Graph
  /** The same graph with stand-ins for missing assets. */
  readonly graph: Graph
  readonly entries: Entries
  readonly standIns: StandIns
  /**
   * Assets that are meant by a table without a tag, by their reader; they are bound before it like parents.
   */
  readonly meant: Map<string, Set<string>>
  /** Assets whose transform must be bound again. */
  readonly stale: Set<string>
  /** Assets whose tests must be bound again. */
  readonly staleTests: Set<string>
  /** Assets whose unit tests must run again. */
  readonly staleUnits: Set<string>
  readonly units: UnitRunner
  /** Readers by the asset that their tests read. */
  readonly testReaders: Map<string, Set<string>>
  /** The statements that exceeded limits or crashed DuckDB. */
  readonly losses: LossMemory
  /** Whether something could not be checked because the process was ended, and is to be tried again. */
  hasUnchecked: boolean
  limits: SqlLimits
  snapshot: Snapshot | undefined
  /** The number of assets that were bound so far. */
  looks: number
  /** Called for each asset that becomes stale during binding. */
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
    units: newUnitRunner(engine, load),
    testReaders: new Map(),
    losses: new Map(),
    hasUnchecked: false,
    limits: defaultLimits,
    snapshot: undefined,
    looks: 0,
    onStale: undefined,
  }
}
