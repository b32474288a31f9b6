/**
 * The state of a project in a warehouse: records in, records out, no SQL. Every engine has one implementation; each
 * belongs to one project and neither reads nor changes what belongs to another one (decisions 8, "Whose state").
 */
import type { Relation } from '../warehouse/warehouse.ts'
import type { Delete, StateChange } from './changes.ts'
import type {
  BuildPins,
  DriftRecord,
  HistoryAsset,
  HistoryRecord,
  RejectRecord,
  RunSummary,
  StateSnapshot,
} from './state.ts'

/** Of a warehouse without state tables everything is empty. Every method: SvcError `warehouse-newer`. */
export interface StateReader {
  /** All that a command needs of one environment, in one wait. */
  read(environment: string, options?: ReadOptions): Promise<StateSnapshot>
  /** Newest first, of one environment or (undefined) of each one `limit` runs. */
  history(environment: string | undefined, limit: number): Promise<readonly HistoryRecord[]>
  /** All runs of all environments, newest first. */
  runs(): Promise<readonly RunSummary[]>
  /** What became of each asset in the runs, by run id. */
  runAssets(runIds: readonly string[]): Promise<ReadonlyMap<string, readonly HistoryAsset[]>>
  /** Those of the runs whose lists of assets are longer than so many characters of JSON, and begin with a named asset. */
  longRuns(runIds: readonly string[], length: number): Promise<ReadonlySet<string>>
  /** All complete builds of all environments, by build key, without what collection has no use for. */
  builds(): Promise<ReadonlyMap<string, BuildPins>>
  /** What is live in each environment. */
  liveKeys(): Promise<readonly LiveKey[]>
  /** The production views of an environment, in order. */
  views(environment: string): Promise<readonly Relation[]>
  /** Canonical texts by definition hash; unknown hashes are absent. */
  definitions(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The definitions of all that is live: `definitions` asks for few, but its answer is another one for each question. */
  liveDefinitions(environment: string): Promise<(hash: string) => string | undefined>
  /** Of all loads in the warehouse. */
  drift(): Promise<readonly DriftRecord[]>
  /** The first `limit` in the order of assets and records. */
  rejects(which: RejectsWanted, limit: number): Promise<FoundRejects>
  /** Hashes of whole records that were left out of loads of these assets, and that no later load has taken in. */
  openRejects(wanted: OpenRejectsWanted): Promise<readonly OpenReject[]>
  /** How many records such changes would delete. */
  count(deletes: readonly Delete[]): Promise<number>
  /** The other projects whose state is here. */
  otherProjects(): Promise<readonly string[]>
  /** Whose production view this is, by exact name; undefined: no other project made one there. */
  ownerOf(view: Relation): Promise<string | undefined>
  /** Runs and schemas with builds of the other projects; nothing of theirs is collected. */
  ofOthers(): Promise<OthersWork>
}

export interface StateStore extends StateReader {
  /** Makes the tables where they are missing, and carries those of an older svc forward. Idempotent. */
  initialise(): Promise<void>
  /** All or nothing. */
  commit(changes: readonly StateChange[]): Promise<void>
  /** Takes over all state of another project, which has none from then on. */
  adopt(project: string): Promise<void>
}

export interface ReadOptions {
  /** Runs of the environment, newest first; default 10. Runs that are `running` always come along. */
  readonly historyLimit?: number
}

export interface LiveKey {
  readonly environment: string
  readonly build_key: string
}

/** All parts that are given hold. */
export interface RejectsWanted {
  readonly asset?: string
  readonly runId?: string
  /** Of these loads, or refused in this environment. */
  readonly current?: { readonly loadKeys: readonly string[]; readonly environment: string }
}

export interface FoundRejects {
  readonly rejects: readonly RejectRecord[]
  readonly total: number
}

export interface OpenRejectsWanted {
  readonly assets: readonly string[]
  /** The new ones. */
  readonly exceptLoads: readonly string[]
  readonly limit: number
}

export interface OpenReject {
  readonly asset: string
  readonly record_hash: string
}

export interface OthersWork {
  readonly runIds: readonly string[]
  readonly schemas: readonly string[]
}
