/**
 * The interface to the state of a project in a warehouse, in records and without SQL. Every engine has one
 * implementation. A store belongs to one project and neither reads nor changes the state of others (decisions
 * 8, "Whose state").
 */
import type { Relation } from '../warehouse/warehouse.ts'
import type { Delete, StateChange } from './changes.ts'
import type {
  BuildLineage,
  BuildPins,
  DriftRecord,
  HistoryAsset,
  HistoryRecord,
  LoadedFile,
  MarksRecord,
  PublishRecord,
  PublishReject,
  RejectRecord,
  RunSummary,
  StateSnapshot,
} from './state.ts'

/**
 * Reads state. Without state tables everything is empty. Every method may throw SvcError `warehouse-newer`.
 */
export interface StateReader {
  /** Returns everything that a command needs of one environment, in one round trip. */
  read(environment: string, options?: ReadOptions): Promise<StateSnapshot>
  /**
   * Returns up to `limit` runs of one environment, in the order of `run-order.ts`, or (if undefined) of each environment, in
   * the order of their times.
   */
  history(environment: string | undefined, limit: number): Promise<readonly HistoryRecord[]>
  /** Returns all runs of all environments, newest first. */
  runs(): Promise<readonly RunSummary[]>
  /** Returns the outcome of each asset in the runs, by run id. */
  runAssets(runIds: readonly string[]): Promise<ReadonlyMap<string, readonly HistoryAsset[]>>
  /**
   * Returns those of the runs whose asset lists are longer than `length` characters of JSON and start with a
   * named asset.
   */
  longRuns(runIds: readonly string[], length: number): Promise<ReadonlySet<string>>
  /**
   * Returns all complete builds of all environments, by build key, with the columns that garbage collection
   * needs.
   */
  builds(): Promise<ReadonlyMap<string, BuildPins>>
  /** Returns the live builds of each environment. */
  liveKeys(): Promise<readonly LiveKey[]>
  /** Returns canonical texts by definition hash; unknown hashes are absent. */
  definitions(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Returns the definitions of all live builds. `definitions` reads fewer, but its answer cannot be cached
   * across questions.
   */
  liveDefinitions(environment: string): Promise<(hash: string) => string | undefined>
  /** Returns the lineage of builds by build key; builds without a record are absent. */
  lineage(buildKeys: readonly string[]): Promise<ReadonlyMap<string, BuildLineage>>
  /** Returns the keys of all builds of whose columns the lineage is known. */
  lineageKeys(): Promise<ReadonlySet<string>>
  /** Returns when the source of each load was last asked and had its content, by build key; loads of an older svc are absent. */
  fetches(): Promise<ReadonlyMap<string, string>>
  /** Returns what the engine said of the views of builds when they were made, by build key. */
  viewTexts(): Promise<ReadonlyMap<string, string>>
  /** Returns the marks of personal data of all builds, in all environments. */
  marks(): Promise<readonly MarksRecord[]>
  /** Returns the drift of all loads in the warehouse. */
  drift(): Promise<readonly DriftRecord[]>
  /** Returns the files that a load holds; undefined if nobody wrote them down. */
  loadedFiles(loadKey: string): Promise<readonly LoadedFile[] | undefined>
  /** Returns the first `limit` rejects in the order of assets and records. */
  rejects(which: RejectsWanted, limit: number): Promise<FoundRejects>
  /** Returns the hashes of rejected records of these assets that are not in what the environment shows. */
  openRejects(wanted: OpenRejectsWanted): Promise<readonly OpenReject[]>
  /** Returns attempts to publish, newest first. */
  publishes(which: PublishesWanted, limit: number): Promise<readonly PublishRecord[]>
  /** Returns the first `limit` rows of the last publishes that were not taken, in the order of assets and targets. */
  publishRejects(which: PublishesWanted, limit: number): Promise<FoundPublishRejects>
  /** Returns how many records such changes would delete. */
  count(deletes: readonly Delete[]): Promise<number>
  /** Returns the other projects that have state in this warehouse. */
  otherProjects(): Promise<readonly string[]>
  /** Returns every production view that is recorded, whichever project and environment it belongs to. */
  recordedViews(): Promise<readonly RecordedView[]>
  /** Returns whether a relation is a production view of the project, in any of its environments. */
  isOwnView(view: Relation): Promise<boolean>
  /** Returns runs and schemas with builds of other projects, which garbage collection must not touch. */
  ofOthers(): Promise<OthersWork>
}

/** Versions of the state tables: a svc that knows only the former one refuses the tables afterwards. */
export interface StateMigration {
  readonly from: number
  readonly to: number
}

export interface StateStore extends StateReader {
  /**
   * Creates the tables where there are none, and migrates those of an older svc. Idempotent. Returns the migration, if there
   * was one. Throws SvcError `state-lost` where some are there and others are not.
   */
  initialise(): Promise<StateMigration | undefined>
  /** Returns the tables that are gone although the others are there. */
  lost(): Promise<readonly string[]>
  /** Makes the lost tables again, empty, and returns their names. */
  restore(): Promise<readonly string[]>
  /** Applies all changes in one transaction. */
  commit(changes: readonly StateChange[]): Promise<void>
  /** Takes over all state of another project, which has none afterwards. */
  adopt(project: string): Promise<void>
}

export interface ReadOptions {
  /**
   * The number of runs of the environment, newest first; default 10. Runs with status `running` are always
   * included.
   */
  readonly historyLimit?: number
}

export interface LiveKey {
  readonly environment: string
  readonly build_key: string
}

/** All given conditions must hold. */
export interface RejectsWanted {
  readonly asset?: string
  readonly runId?: string
  /** Rejects of these loads, or of sources refused in this environment. */
  readonly current?: { readonly loadKeys: readonly string[]; readonly environment: string }
}

export interface FoundRejects {
  readonly rejects: readonly RejectRecord[]
  readonly total: number
}

export interface OpenRejectsWanted {
  readonly environment: string
  readonly assets: readonly string[]
  /** The loads behind what is live: their rejects are not in it, also where another environment loaded them since. */
  readonly liveLoads: readonly string[]
  /** The loads of this run, which are left out. */
  readonly exceptLoads: readonly string[]
  readonly limit: number
}

export interface OpenReject {
  readonly asset: string
  readonly record_hash: string
}

/** All given conditions must hold. */
export interface PublishesWanted {
  readonly environment: string
  readonly asset?: string | undefined
  readonly target?: string | undefined
  /** The newest of each asset and target alone. */
  readonly isLast?: true
}

export interface FoundPublishRejects {
  readonly rejects: readonly PublishReject[]
  readonly total: number
}

/** A production view as a promotion recorded it; nobody says whether it is there still. */
export interface RecordedView {
  /** The project that made it; null: this one. */
  readonly owner: string | null
  readonly environment: string
  readonly view: Relation
}

export interface OthersWork {
  readonly runIds: readonly string[]
  readonly schemas: readonly string[]
}
