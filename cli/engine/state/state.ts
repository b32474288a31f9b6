/**
 * The records behind `svc_state_history`, `svc_catalog` and the helper tables (interface.md 2.13, decisions 2).
 * The state tables are the truth; deleting `.svc/` costs fetching again and nothing else.
 */
import type { AssetOutcome, DriftChange, RunKind, RunStatus } from '@svc/server/contract'
import type { Column, MaterializeKind } from '@svc/server/language'
import type { Relation } from '../warehouse/warehouse.ts'

/** One asset in `svc_state_history.assets`. The list of a deployed run is the whole map of its generation. */
export interface HistoryAsset {
  readonly name: string
  readonly definition_hash: string
  /** Null where the asset was not built (failed or skipped). */
  readonly build_key: string | null
  readonly rows: number | null
  readonly seconds: number
  readonly status: AssetOutcome
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
  /** The generation that this run made live; null where it made none (failed, or a preview). */
  readonly generation: number | null
  /** The generation that was live when it started. */
  readonly from_generation: number
  readonly assets: readonly HistoryAsset[]
  readonly error: string | null
}

/** A run without its assets. */
export type RunSummary = Omit<HistoryRecord, 'assets'>

/** `svc_catalog`: what is live, one row per environment and asset. */
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

/** A column as it was built. */
export interface BuiltColumn extends Column {
  /** Of a raw load: it brought no such column, which is there because it was promised or loaded before. */
  readonly absent?: boolean
}

/**
 * `svc_builds`: every complete build, by build key. `model` is the asset's relation; `raw` the load behind it
 * (one record for `{{ source }}` and its children together).
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
  /** Build keys that this one pins: parents' models, own raw load. Collection follows them. */
  readonly pins: readonly string[]
  /** For raw: the content's hash. */
  readonly load_id: string | null
  /**
   * The compiled query of a `view` or `ephemeral` model, naming physical tables only: what reads it takes this text,
   * so that no view of ours names another one. Null for tables and raw loads.
   */
  readonly sql: string | null
  /** The base name of `deploy.schema`; null: the project's `default_schema`. */
  readonly deploy_schema: string | null
}

/** What collection needs of a build: where it is and what it holds on to. */
export type BuildPins = Pick<
  BuildRecord,
  'build_key' | 'asset' | 'part' | 'run_id' | 'relation' | 'children' | 'pins'
>

/** `svc_rejects`: a record, or a value of one, that a contract kept out of a load. */
export interface RejectRecord {
  readonly asset: string
  readonly run_id: string
  /** `refused`: the whole source was, and these are its first records that broke the contract. */
  readonly status: 'rejected' | 'refused'
  readonly kind: 'row' | 'value' | 'column' | 'table'
  readonly code: string
  readonly child: string | null
  readonly column_name: string | null
  readonly message: string
  readonly record_number: number
  /** JSON text. */
  readonly raw: string
  /** ISO 8601 UTC. */
  readonly rejected_at: string
  /** The run that took the record in. */
  readonly replayed_run_id: string | null
}

/** `svc_drift`: what changed between the pages of a load, so that a plan can say so. Goes with the load. */
export interface DriftRecord {
  readonly load_key: string
  readonly asset: string
  readonly changes: readonly DriftChange[]
}

/** `svc_definitions`: the canonical text behind a definition hash, so that a plan can say which keys changed. */
export interface DefinitionRecord {
  readonly definition_hash: string
  readonly definition: string
}

/** `svc_views`: the production views that are ours, changed in the flip. Anything else of that name is foreign. */
export interface ViewRecord {
  readonly environment: string
  readonly asset: string
  readonly view: Relation
}

/** `svc_test_results`: the last result of each test on each build, so that an unchanged test need not run again. */
export interface TestRecord {
  readonly asset: string
  readonly name: string
  /** Hash of the test's definition. */
  readonly test_hash: string
  /** Build keys of everything that the test reads, joined: a new key means that the test runs. */
  readonly input_key: string
  readonly status: 'pass' | 'fail'
  readonly severity: 'error' | 'warn'
  readonly failures: number
  readonly message: string | null
  readonly seconds: number
  readonly run_id: string
  readonly ran_at: string
}

/** All state of one environment, read once at the start of a command. */
export interface StateSnapshot {
  readonly environment: string
  /** 0: nothing was ever deployed. */
  readonly generation: number
  readonly live: ReadonlyMap<string, CatalogRecord>
  /** Complete builds that a run may reuse, by build key. */
  readonly builds: ReadonlyMap<string, BuildRecord>
  /** Newest first. */
  readonly history: readonly HistoryRecord[]
  /** By `asset` + '\n' + `name`. */
  readonly tests: ReadonlyMap<string, TestRecord>
  /** Where the production view of each live asset is, by asset; ephemeral assets have none. */
  readonly views: ReadonlyMap<string, Relation>
}

/** Of an environment where nothing ever happened. */
export function emptyState(environment: string): StateSnapshot {
  return {
    environment,
    generation: 0,
    live: new Map(),
    builds: new Map(),
    history: [],
    tests: new Map(),
    views: new Map(),
  }
}
