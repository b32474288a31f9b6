/**
 * The records of `svc_state_history`, `svc_catalog` and the helper tables (interface.md 2.13, decisions 2).
 * The state tables are the source of truth; deleting `.svc/` costs fetching again and nothing else.
 */
import type { AssetOutcome, DriftChange, RunKind, RunStatus, Warning } from '@svc/server/contract'
import type { Column, ColumnLineage, DeclaredMarks, MaterializeKind } from '@svc/server/language'
import type { Relation } from '../warehouse/warehouse.ts'

/**
 * One asset in `svc_state_history.assets`. The list of a deployed run is the complete map of its generation.
 */
export interface HistoryAsset {
  readonly name: string
  readonly definition_hash: string
  /** Null if the asset was not built (failed or skipped). */
  readonly build_key: string | null
  readonly rows: number | null
  readonly seconds: number
  readonly status: AssetOutcome
  /** What somebody had done to a relation of it, so that the run made it again. */
  readonly repaired?: string
  /** Why it failed or was skipped. In a deployed run it keeps the live build that it had. */
  readonly because?: string
  /** What to do about its failure, if that is known. */
  readonly hint?: string
  /** Where it failed, as `path:line:column` of the file that it had then. */
  readonly place?: string
  /** The hash of that file's text; only of an asset that failed, and absent in runs of an older svc. */
  readonly text_hash?: string
}

export interface HistoryRecord {
  readonly run_id: string
  readonly environment: string
  readonly kind: RunKind
  readonly selector: string | null
  readonly status: RunStatus
  /** ISO 8601 UTC. */
  readonly started_at: string
  readonly finished_at: string | null
  /** The generation that this run made live; null if it promoted nothing (a failed run, or a preview). */
  readonly generation: number | null
  /** The generation that was live when the run started. */
  readonly from_generation: number
  readonly assets: readonly HistoryAsset[]
  readonly error: string | null
  /** Who started the run: `cli`, `ci`, `editor`, `dashboard` or what `SVC_TRIGGER` says; null for runs of an older svc. */
  readonly trigger: string | null
  /** The commit that was checked out; null outside a git repository. */
  readonly git_commit: string | null
  /** Whether the run was refused before its first step, so that it has no assets; null for runs of an older svc. */
  readonly refused: boolean | null
  /** Everything that the run has warned of; null for runs of an older svc. */
  readonly warnings: readonly Warning[] | null
}

/** A run without its assets. */
export type RunSummary = Omit<HistoryRecord, 'assets'>

/** A row of `svc_catalog`: what is live, one row per environment and asset. */
export interface CatalogRecord {
  readonly environment: string
  readonly asset: string
  readonly definition_hash: string
  readonly build_key: string
  readonly run_id: string
  readonly deployed_at: string
  readonly green_schema: string
  readonly columns: readonly Column[]
}

/** A column of a build. */
export interface BuiltColumn extends Column {
  /**
   * In a raw load: the source did not deliver the column; it exists because the contract or an earlier load
   * has it.
   */
  readonly absent?: boolean
  /** When a load was the first without the column; only of a column that an earlier load had. */
  readonly absentSince?: string
  /** In a raw load of JSON: the share of the records that have the key; absent where all have it. */
  readonly presence?: number
  /** In a raw load: what the key is known by with which the values were hashed. */
  readonly maskKey?: string
}

/**
 * A row of `svc_builds`: every complete build, by build key. `model` is the asset's relation; `raw` is the
 * load behind it (one record for `{{ source }}` and its child tables together).
 */
export interface BuildRecord {
  readonly build_key: string
  readonly asset: string
  readonly part: 'raw' | 'model'
  readonly kind: MaterializeKind
  readonly definition_hash: string
  readonly relation: Relation
  /** Child tables of a raw load, by child name. */
  readonly children: Readonly<
    Record<
      string,
      { readonly relation: Relation; readonly columns: readonly BuiltColumn[]; readonly rows: number }
    >
  >
  readonly columns: readonly BuiltColumn[]
  readonly rows: number | null
  readonly run_id: string
  readonly created_at: string
  readonly seconds: number
  /**
   * The build keys that this build pins: the models of its parents, and its own raw load. Garbage collection
   * follows them.
   */
  readonly pins: readonly string[]
  /** The hash of a raw load's content. */
  readonly load_id: string | null
  /**
   * The compiled query of a `view` or `ephemeral` model, which names physical tables only. Readers inline
   * this text, so that no view of svc names another one. Null for tables and raw loads.
   */
  readonly sql: string | null
  /** The base name of `deploy.schema`; null means the project's `default_schema`. */
  readonly deploy_schema: string | null
  /**
   * Part of the build key of a relation that was built anew though nothing had changed (`--full-refresh`, or its relation
   * was gone); null for all others. Later keys of a live asset contain it too, so that it counts as unchanged.
   */
  readonly salt: string | null
}

/** The columns of a build that garbage collection needs: where it is and what it pins. */
export type BuildPins = Pick<
  BuildRecord,
  'build_key' | 'asset' | 'part' | 'run_id' | 'relation' | 'children' | 'pins'
>

/** A row of `svc_rejects`: a record, or a value of one, that a contract kept out of a load. */
export interface RejectRecord {
  readonly asset: string
  readonly run_id: string
  /**
   * `refused`: the whole source was refused, and this is one of its first records that broke the contract.
   */
  readonly status: 'rejected' | 'refused'
  readonly kind: 'row' | 'value' | 'column' | 'table'
  readonly code: string
  readonly child: string | null
  readonly column_name: string | null
  readonly message: string
  readonly record_number: number
  /** JSON text; null of what is not kept: a line that is no record, where columns are masked. */
  readonly raw: string | null
  /** ISO 8601 UTC. */
  readonly rejected_at: string
  /** The later run that loaded the record. */
  readonly replayed_run_id: string | null
}

/**
 * A row of `svc_drift`: the changes between the pages of a load, which a plan shows. Deleted with the load.
 */
export interface DriftRecord {
  readonly load_key: string
  readonly asset: string
  readonly changes: readonly DriftChange[]
}

/** A file that a load holds, for sources that load each file once. */
export interface LoadedFile {
  /** Its name below the endpoint. */
  readonly name: string
  readonly size: number | null
  /** What the place said of its state: an ETag, the time of its last change; null where it says nothing. */
  readonly stamp: string | null
  /** The hash of its content. */
  readonly hash: string
}

/** A row of `svc_loaded_files`: all files whose records are in a load. Deleted with the load. */
export interface LoadedFilesRecord {
  readonly load_key: string
  readonly asset: string
  readonly files: readonly LoadedFile[]
}

/** A row of `svc_fetches`. Deleted with the load. */
export interface FetchRecord {
  /** That of the load. */
  readonly build_key: string
  readonly asset: string
  /** ISO 8601 UTC: the start of the run that asked the source last and found this content. */
  readonly fetched_at: string
  readonly run_id: string
}

/** A row of `svc_view_texts`. */
export interface ViewTextRecord {
  readonly build_key: string
  readonly asset: string
  readonly text: string
}

/** A row of `svc_lineage`: where the values of a build's columns come from. */
export interface LineageRecord {
  readonly build_key: string
  readonly asset: string
  readonly lineage: BuildLineage
}

export interface BuildLineage {
  readonly columns: readonly Pick<ColumnLineage, 'column' | 'from' | 'hidden'>[]
  /** False if the build may have columns that are not listed. */
  readonly complete: boolean
}

/** A row of `svc_marks`: the marks of personal data that the asset's file declared when a build was used. */
export interface MarksRecord {
  readonly environment: string
  readonly build_key: string
  readonly asset: string
  readonly marks: DeclaredMarks
}

/** What a publish did, or would do, by the kind of change. */
export interface PublishCounts {
  readonly inserts: number
  readonly updates: number
  readonly deletes: number
  readonly unchanged: number
  /** Rows that have no key, or one that another row has too. */
  readonly invalid: number
  /** Rows that the target refused. */
  readonly refused: number
}

/** A row of `svc_publishes`: an attempt to publish an asset to a target. */
export interface PublishRecord {
  readonly run_id: string
  readonly environment: string
  readonly asset: string
  readonly target: string
  /** A hash of where the target is; what was acknowledged elsewhere does not count. */
  readonly place: string
  readonly mode: string
  readonly status: 'running' | 'published' | 'Failed'
  /** ISO 8601 UTC. */
  readonly started_at: string
  readonly finished_at: string | null
  /** The build that was published; null if it came to none. */
  readonly build_key: string | null
  /** What the target acknowledged; null of an attempt that came to no count. */
  readonly counts: PublishCounts | null
  readonly error: string | null
  readonly trigger: string | null
  readonly git_commit: string | null
  /** What it warned of, however it ended; null where an older svc kept it with the counts, or not at all. */
  readonly warnings: readonly Warning[] | null
}

/** A row of `svc_publish_rejects`: a row that was not sent, or that the target refused, in the last publish. */
export interface PublishReject {
  readonly asset: string
  readonly target: string
  readonly run_id: string
  readonly operation: 'insert' | 'update' | 'delete'
  /** JSON text. */
  readonly row_key: string
  readonly reason: string
  /** JSON text. */
  readonly raw: string
  /** ISO 8601 UTC. */
  readonly rejected_at: string
}

/**
 * A row of `svc_definitions`: the canonical text behind a definition hash, so that a plan can show which keys
 * changed.
 */
export interface DefinitionRecord {
  readonly definition_hash: string
  readonly definition: string
}

/**
 * A row of `svc_views`: a production view that svc made, written in the transaction of the promotion. Any
 * other relation of that name is foreign.
 */
export interface ViewRecord {
  readonly environment: string
  readonly asset: string
  readonly view: Relation
  /** The roles that svc lets read it; what others granted is not among them. */
  readonly readers: readonly string[]
}

/**
 * A row of `svc_test_results`: the last result of each test on each build, so that an unchanged test need not
 * run again.
 */
export interface TestRecord {
  readonly asset: string
  readonly name: string
  /** The hash of the test's definition. */
  readonly test_hash: string
  /** The build keys of everything that the test reads, joined; if they change, the test runs again. */
  readonly input_key: string
  readonly status: 'pass' | 'fail'
  readonly severity: 'error' | 'warn'
  readonly failures: number
  readonly message: string | null
  readonly seconds: number
  readonly run_id: string
  readonly ran_at: string
}

/** The state of one environment, read once at the start of a command. */
export interface StateSnapshot {
  readonly environment: string
  /** 0 if nothing was ever deployed, or all of it was forgotten. */
  readonly generation: number
  /** Whether something was deployed, and collection has dropped the environment since. */
  readonly isForgotten: boolean
  readonly live: ReadonlyMap<string, CatalogRecord>
  /** Complete builds that a run may reuse, by build key. */
  readonly builds: ReadonlyMap<string, BuildRecord>
  /** Newest first. */
  readonly history: readonly HistoryRecord[]
  /**
   * The key is `asset` + '
   *
   * ' + `name`.
   */
  readonly tests: ReadonlyMap<string, TestRecord>
  /** The production view of each live asset, by asset; ephemeral assets have none. */
  readonly views: ReadonlyMap<string, Relation>
  /** The roles that svc lets read a view, by asset; most have none. */
  readonly readers: ReadonlyMap<string, readonly string[]>
}

/** Returns the state of an environment in which nothing was ever deployed. */
export function emptyState(environment: string): StateSnapshot {
  return {
    environment,
    generation: 0,
    isForgotten: false,
    live: new Map(),
    builds: new Map(),
    history: [],
    tests: new Map(),
    views: new Map(),
    readers: new Map(),
  }
}
