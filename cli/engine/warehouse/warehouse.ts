/**
 * The one interface to every warehouse. A second engine costs one folder beside `duckdb/` and one line in `open.ts`;
 * nothing outside `warehouse/` may depend on which engine it is. What it can do it says in its `capabilities`. A
 * promotion is `prepare`, `flip`, `settle`; `flip` alone changes what readers see, and one record (the generation in
 * `svc_live`) is the truth of what is live. The conformance suite in `test/engine/warehouse` runs on each adapter.
 */
import type { Column } from '@svc/server/language'
import type { Row, StateChange } from '../state/changes.ts'
import type { StateReader, StateStore } from '../state/state-store.ts'
import type { OwnedTable } from '../state/tables.ts'
import type { Dialect } from './dialect.ts'

/** A table or view by name. Never quoted: `dialect.relation` does that. */
export interface Relation {
  readonly schema: string
  readonly name: string
}

export type RelationKind = 'table' | 'view'

export type Value = string | number | bigint | boolean | null

/** A row with JSON-safe values: exact integers beyond 2^53, decimals and timestamps come as strings. */
export type JsonRow = Readonly<Record<string, unknown>>

/** What one engine can do and another cannot: code asks for these, never for the name of an engine. */
export interface Capabilities {
  /**
   * A relation and its record become true in one transaction, and so do the views and the state of a flip. Without it a
   * relation comes before its record, which names it: what has no record is nobody's, is never reused, and goes with the
   * next collection; and a flip that was cut short is finished or undone by `recover`.
   */
  readonly transactionalDdl: boolean
  /** Builds that it makes at the same time; further ones wait. */
  readonly parallelBuilds: number
  /** It makes several small relations in one transaction, each still with its own record, because commits are dear. */
  readonly sharedCommits: boolean
}

export interface Warehouse {
  readonly dialect: Dialect
  readonly capabilities: Capabilities
  /** Whose state this is about: the name of the project. */
  readonly project: string
  /** Kind and place without secrets, for messages and files: `duckdb: warehouse.duckdb`. */
  readonly label: string
  /** Short form for a headline: `warehouse.duckdb`. */
  readonly shortLabel: string
  /**
   * The right to change an environment, taken before any work. Held by another live holder: SvcError `lease-held`
   * that names it. A dead holder's lease is taken over; `Lease.tookOverFrom` says whose it was.
   */
  acquireLease(environment: string, holder: LeaseHolder): Promise<Lease>
  /** Who holds the environment's lease now, without opening the warehouse where that would lock. */
  leaseHolder(environment: string): Promise<LeaseHolder | undefined>
  /**
   * A name of all that the warehouse holds now, found without opening it: two that are equal mean the same contents.
   * Undefined where that cannot be told, for one while this process has it open.
   */
  version?(): Promise<string | undefined>
  /** The same warehouse with the state of another project. */
  ofProject(project: string): Warehouse
  /** The state of the project, asked through `access`: so whoever logs a session or remembers it hears that too. */
  stateOf(access: StateAccess): StateStore
  /** Frees the leases of dead holders, taking each over as `holder`; returns their number. */
  freeDeadLeases(holder: LeaseHolder): Promise<number>
  /**
   * Opens the warehouse. `write` creates it where it does not exist; `read` of one that does not exist: undefined.
   * A lock held elsewhere is waited for (`waitMs`, default 10 s; `onWait` is told who holds it once), then SvcError
   * `warehouse-locked`. Sessions are short: nobody holds one while fetching from the network.
   */
  open(mode: 'write', options?: OpenOptions): Promise<WarehouseSession>
  open(mode: 'read', options?: OpenOptions): Promise<WarehouseSession | undefined>
}

export interface OpenOptions {
  readonly waitMs?: number
  readonly onWait?: (holder: string) => void
  readonly signal?: AbortSignal
  /**
   * Reading only. Statements that nobody has checked will run: for as long as it is open, they reach nothing but the
   * tables of this warehouse, and cannot change anything, be it a setting.
   */
  readonly isolated?: boolean
}

export interface LeaseHolder {
  readonly runId: string
  readonly command: string
  readonly user: string
  readonly host: string
  readonly pid: number
  /** ISO 8601 UTC. */
  readonly since: string
}

export interface Lease {
  readonly tookOverFrom: LeaseHolder | undefined
  /** Idempotent. */
  release(): Promise<void>
}

export interface WarehouseSession {
  readonly dialect: Dialect
  /** Those of its warehouse. */
  readonly capabilities: Capabilities
  readonly state: StateStore
  /** All rows of a small result. Parameters are positional (`dialect.parameter(1)`). */
  query<Row extends JsonRow = JsonRow>(
    sql: string,
    parameters?: readonly Value[],
    signal?: AbortSignal,
  ): Promise<Row[]>
  /** Statements in order, outside a transaction; one round trip where the engine can. */
  execute(statements: readonly string[], signal?: AbortSignal): Promise<void>
  /** All or nothing. Rolls back and rethrows on any error; verified by the adapter to have committed. */
  transaction(statements: readonly Statement[], signal?: AbortSignal): Promise<void>
  /** Output columns of a SELECT, without running it. */
  describe(sql: string): Promise<Column[]>
  /** Columns of existing relations in one round trip, by `schema.name`; a missing relation is absent. */
  columns(relations: readonly Relation[]): Promise<ReadonlyMap<string, readonly Column[]>>
  /** `kind`: those alone, which may cost less; an engine for which it does not may tell of all. */
  relations(
    schema: string,
    kind?: 'view',
  ): Promise<readonly { readonly name: string; readonly kind: RelationKind }[]>
  /** Every view, whoever made it, with the query behind it. */
  views(): Promise<readonly { readonly relation: Relation; readonly query: string }[]>
  schemas(prefix: string): Promise<readonly string[]>
  /** What is in each schema whose name begins like this, empty ones too, in one round trip. */
  inventory(
    prefix: string,
  ): Promise<ReadonlyMap<string, readonly { readonly name: string; readonly kind: RelationKind }[]>>
  /** Bytes on the disk, about, by `schema.name`; views and what the engine cannot tell are absent. */
  sizes(relations: readonly Relation[]): Promise<ReadonlyMap<string, number>>

  createSchema(schema: string): Promise<void>
  /** Drops what is in it too, but never anything outside: no CASCADE over the schema's border. */
  dropSchema(schema: string): Promise<void>
  dropRelations(
    relations: readonly { readonly relation: Relation; readonly kind: RelationKind }[],
  ): Promise<void>

  /**
   * Makes one relation and records it, in one transaction where the engine can do that. Resolves when it has ended, and
   * with it everything that was taken from `more`; each end is told as soon as it is known. A build that fails is an
   * outcome like any other, and an aborted signal ends it as `interrupted`; rejects only with what a callback throws.
   */
  build(task: BuildTask, options: BuildOptions): Promise<void>

  promotion: Promotion
  /**
   * Nothing more will be written, as far as is known: what closing has to do begins now, beside what is asked meanwhile.
   * Absent where an engine has nothing to do then.
   */
  settle?(): void
  /** Closes every connection; for a file engine the lock is free afterwards. Idempotent. */
  close(): Promise<void>
}

/** All that is asked of a warehouse to say what a run would do. */
export type WarehouseReader = Pick<WarehouseSession, 'dialect' | 'query' | 'relations' | 'views'> & {
  readonly state: StateReader
}

/** What a store of state asks of the warehouse that it is in. */
export type StateAccess = Pick<WarehouseSession, 'query' | 'relations' | 'transaction'>

export interface Statement {
  readonly sql: string
  readonly parameters?: readonly Value[]
}

/** One relation to make in a green schema. */
export type BuildTask = { readonly id: string; readonly target: Relation } & (
  | { readonly kind: 'table' | 'view'; readonly sql: string }
  /** Raw load: `sql` is DuckDB SQL over local spool files; every adapter knows how to bring its rows in. */
  | {
      readonly kind: 'load'
      readonly sql: string
      readonly columns: readonly Column[]
      /** Rows from the same files for tables of state, added together with the record of the load. */
      readonly appends?: readonly Append[]
    }
)

/** `sql` is DuckDB SQL as that of a load, and gives exactly `columns` in order; `facts` are the same in each row. */
export interface Append {
  readonly table: OwnedTable
  readonly facts: Row
  readonly columns: readonly string[]
  readonly sql: string
}

export interface BuildOptions {
  readonly signal?: AbortSignal
  /** Called before a task starts. */
  readonly onStart?: (task: BuildTask) => void
  /**
   * Called when a task has its rows; the changes of state that it returns are committed together with the relation, or
   * after it where the engine cannot do that: a record without its relation cannot be seen.
   */
  readonly record: (task: BuildTask, result: BuildResult) => readonly StateChange[]
  readonly onEnd: (task: BuildTask, outcome: BuildOutcome) => void
  /** Asked by an engine with `sharedCommits`: one more task that may begin now. */
  readonly more?: () => BuildTask | undefined
}

export interface BuildResult {
  /** Undefined for views. */
  readonly rows: number | undefined
  readonly columns: readonly Column[]
  readonly seconds: number
}

export type BuildOutcome =
  | { readonly ok: true; readonly result: BuildResult }
  | { readonly ok: false; readonly error: unknown; readonly seconds: number }

/** What a promotion or rollback changes, whole. */
export interface PointerChange {
  readonly environment: string
  readonly runId: string
  /** The generation that must be live now (0: none yet); the flip fails with `promotion-stale` when it is not. */
  readonly fromGeneration: number
  readonly toGeneration: number
  /** Production views to create or replace, with explicit columns. */
  readonly views: readonly ProductionView[]
  readonly drops: readonly Relation[]
  /** What becomes true with the flip: history, catalogue, cursors. */
  readonly changes: readonly StateChange[]
}

export interface ProductionView {
  readonly view: Relation
  readonly target: Relation
  /** Read instead of `target`: the compiled query of a `view` asset, so that every view names physical tables. */
  readonly query?: string
  readonly columns: readonly Column[]
  readonly description: string | undefined
}

/**
 * `prepare` may touch the public views but must not change what they return; `flip` is one atomic step and sets
 * `svc_live`; `settle` tidies and may be finished by a later process (`pending` says what is left).
 */
export interface Promotion {
  prepare(change: PointerChange): Promise<void>
  flip(change: PointerChange): Promise<void>
  settle(change: PointerChange): Promise<void>
  /** Finishes or undoes what a dead process left, before anything else is done. Returns what was found. */
  recover(environment: string): Promise<'nothing' | 'rolled-back' | 'rolled-forward'>
}
