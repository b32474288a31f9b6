/**
 * The interface of every warehouse. A second engine needs one folder beside `duckdb/` and one line in
 * `open.ts`; nothing outside `warehouse/` may depend on the engine. Its `capabilities` describe what it can
 * do. A promotion is `prepare`, `flip`, `settle`; only `flip` changes what readers see, and one record (the
 * generation in `svc_live`) is the truth about what is live. The conformance suite in `test/engine/warehouse`
 * runs on each adapter.
 */
import type { Warning } from '@svc/server/contract'
import type { Column, TableIndex } from '@svc/server/language'
import type { SvcError } from '../errors.ts'
import type { Condition, Row, StateChange } from '../state/changes.ts'
import type { StateReader, StateStore } from '../state/state-store.ts'
import type { OwnedTable } from '../state/tables.ts'
import type { DeclaredThere } from './declared-there.ts'
import type { Dialect } from './dialect.ts'
import type { TableKey, TableOptions } from './table-keys.ts'

/** A table or view by name, unquoted; `dialect.relation` quotes it. */
export interface Relation {
  readonly schema: string
  readonly name: string
}

export type RelationKind = 'table' | 'view'

export interface PresentRelation {
  readonly name: string
  readonly kind: RelationKind
  /**
   * Of a view: its query in the words of the engine, where the engine writes a query in brackets as it writes it alone. Then
   * it can be told whether it is what svc made (`run/shown-builds.ts`).
   */
  readonly query?: string
  /** Of a view of any other engine: the schemas of what its text reads. */
  readonly reads?: readonly string[]
}

/** A row with JSON-safe values: exact integers beyond 2^53, decimals and timestamps come as strings. */
export type JsonRow = Readonly<Record<string, unknown>>

/** What engines can do; code checks these, never the name of an engine. */
export interface Capabilities {
  /**
   * A relation and its record are committed in one transaction, and so are the views and the state of a
   * promotion. Without this, a relation is created before its record: a relation without a record is never
   * reused and is deleted by the next garbage collection, and `recover` completes or undoes an interrupted
   * promotion.
   */
  readonly transactionalDdl: boolean
  /** The number of builds that run concurrently; further ones wait. */
  readonly parallelBuilds: number
  /**
   * Whether several small relations share one transaction, each still with its own record, because commits
   * are expensive.
   */
  readonly sharedCommits: boolean
}

export interface Warehouse {
  readonly dialect: Dialect
  readonly capabilities: Capabilities
  /** The project whose state this is about. */
  readonly project: string
  /** Kind and place without secrets, for messages and files: `duckdb: warehouse.duckdb`. */
  readonly label: string
  /** A short form for headlines: `warehouse.duckdb`. */
  readonly shortLabel: string
  /**
   * Takes the lease of an environment, before any work that changes it. Throws SvcError `lease-held` with the
   * name of another live holder. The lease of a dead holder is taken over; `Lease.tookOverFrom` names it.
   */
  acquireLease(environment: string, holder: LeaseHolder): Promise<Lease>
  /** Returns the holder of the environment's lease, without opening the warehouse if that would lock it. */
  leaseHolder(environment: string): Promise<LeaseHolder | undefined>
  /**
   * Returns an identifier of the warehouse's content without opening it: equal identifiers mean equal
   * content. Undefined if it cannot be determined, for example while this process has the warehouse open.
   */
  version?(): Promise<string | undefined>
  /** Returns the same warehouse with the state of another project. */
  ofProject(project: string): Warehouse
  /**
   * Returns the state of the project, read through `access`, so that a session which logs or caches sees
   * these queries too.
   */
  stateOf(access: StateAccess): StateStore
  /** Frees the leases of dead holders, taking each over as `holder`. */
  freeDeadLeases(holder: LeaseHolder): Promise<void>
  /**
   * Opens the warehouse. `write` creates it if it does not exist; `read` returns undefined then. Waits for a
   * lock that another process holds (`waitMs`, default 10 s; `onWait` is called once with its holder), then
   * throws SvcError `warehouse-locked`. Keep sessions short: never hold one while fetching from the network.
   */
  open(mode: 'write', options?: OpenOptions): Promise<WarehouseSession>
  open(mode: 'read', options?: OpenOptions): Promise<WarehouseSession | undefined>
  /**
   * Returns what whoever opens the warehouse may not do and a run has to, also before svc has made anything in it. Absent
   * where whoever opens it may do everything.
   */
  missingRights?(needed: NeededRights): Promise<readonly MissingRight[]>
  /**
   * Returns statements that declare which functions and types the database has beyond the engine itself, without those of
   * extensions that `isKnown` knows by name. Absent where no project declares any.
   */
  declared?(isKnown: (extension: string) => boolean): Promise<DeclaredThere>
  /**
   * Writes a whole copy of the warehouse to a file that is not there yet, whatever state the warehouse is in. Throws SvcError
   * `wrong-usage` where the file is there, or where the engine has its own tools for that, which the hint names.
   */
  backup(target: string, options?: OpenOptions): Promise<Backup>
  /** Why a warehouse that is not there cannot be created; undefined if nothing stands in the way. */
  obstacle?(): Promise<SvcError | undefined>
  /**
   * Begins what opening costs, for a `write` that comes soon; resolves when it has begun. What is not there is not created,
   * and what someone else holds is not waited for. The result gives it up, where no session comes. Absent where opening
   * costs nothing.
   */
  openAhead?(): Promise<() => void>
}

export interface OpenOptions {
  readonly waitMs?: number
  readonly onWait?: (holder: string) => void
  readonly signal?: AbortSignal
  /**
   * Reading only, for untrusted statements: while it is open, they can access nothing but the tables of this
   * warehouse, and change nothing, not even a setting.
   */
  readonly isolated?: boolean
  /** Reading only: called once, when the warehouse is open, if a process that ended early left committed changes beside it. */
  readonly onLog?: (log: WaitingLog) => void
}

/** Committed changes that are not in the warehouse's file: a copy of the file alone is without them. */
export interface WaitingLog {
  /** The name of the file that they are in. */
  readonly name: string
  readonly bytes: number
  /** Whether opening the warehouse has brought them into its file, so that nothing waits any more. */
  readonly isFolded: boolean
}

/** A copy of the whole warehouse. */
export interface Backup {
  readonly bytes: number
  /** What waited beside the warehouse's file, and is in the copy. */
  readonly log: WaitingLog | undefined
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
  /**
   * Throws SvcError `lease-lost` if another command has taken the lease, because this one gave no sign of life: the machine
   * slept, or the connection broke.
   */
  assertHeld(): Promise<void>
  /** Idempotent. */
  release(): Promise<void>
}

export interface WarehouseSession {
  readonly dialect: Dialect
  /** The capabilities of the warehouse. */
  readonly capabilities: Capabilities
  readonly state: StateStore
  /** Returns all rows of a small result. */
  query<Row extends JsonRow = JsonRow>(sql: string, signal?: AbortSignal): Promise<Row[]>
  /**
   * Runs `work` with a temporary table of the rows of a query, which nothing but the `query` that it gets can see, and which is
   * gone afterwards. Its name needs no quotes, and is no other relation's.
   */
  beside<T>(
    table: { readonly name: string; readonly sql: string },
    work: (query: WarehouseSession['query']) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>
  /** Runs statements in order, outside a transaction; in one round trip if the engine can. */
  execute(statements: readonly string[], signal?: AbortSignal): Promise<void>
  /**
   * Runs all statements in one transaction. Rolls back and rethrows on any error; the adapter verifies the
   * commit.
   */
  transaction(statements: readonly string[], signal?: AbortSignal): Promise<void>
  /** Returns the output columns of a SELECT, without running it. */
  describe(sql: string): Promise<Column[]>
  /**
   * Returns columns of existing relations in one round trip, by `schema.name`; a missing relation is absent.
   */
  columns(relations: readonly Relation[]): Promise<ReadonlyMap<string, readonly Column[]>>
  /** `kind`: those alone, which may cost less; an engine for which it does not may tell of all. */
  relations(schema: string, kind?: 'view'): Promise<readonly PresentRelation[]>
  /** Every view, whoever made it, with the query behind it. */
  views(): Promise<readonly { readonly relation: Relation; readonly query: string }[]>
  /**
   * Returns what hangs on production views, whoever made it, and would break by their changes; undefined if the engine cannot
   * tell without the promotion.
   */
  brokenReaders(changes: readonly ShapeChange[]): Promise<readonly BrokenReader[] | undefined>
  schemas(prefix: string): Promise<readonly string[]>
  /** Returns which of these roles there are; none for an engine without roles. */
  presentRoles(names: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Throws SvcError `warehouse-failed` if one promotion cannot give so many views other columns; it changes nothing. Absent where
   * nothing limits them.
   */
  requireRoom?(views: number): Promise<void>
  /**
   * Returns the relations of each schema whose name starts with the prefix, including empty ones, in one
   * round trip.
   */
  inventory(prefix: string): Promise<Inventory>
  /**
   * Returns approximate sizes on disk in bytes, by `schema.name`; views, and sizes that the engine cannot
   * tell, are absent.
   */
  sizes(relations: readonly Relation[]): Promise<ReadonlyMap<string, number>>

  createSchema(schema: string): Promise<void>
  /** Drops the schema and what is in it, but nothing outside: no CASCADE over the schema's border. */
  dropSchema(schema: string): Promise<void>
  dropRelations(
    relations: readonly { readonly relation: Relation; readonly kind: RelationKind }[],
  ): Promise<void>

  /**
   * Creates one relation and records it, in one transaction if the engine can. Resolves when it has ended,
   * and with it every task taken from `more`; `onEnd` is called as soon as each outcome is known. A failed
   * build is an outcome like any other, and an aborted signal ends it as `interrupted`; rejects only with
   * errors of a callback.
   */
  build(task: BuildTask, options: BuildOptions): Promise<void>

  /** Writes rows to a Parquet file, whatever the engine: of a query, or of the project in a state table. */
  export(rows: ExportedRows, path: string, signal?: AbortSignal): Promise<void>
  /**
   * Makes changes of state, then takes rows out of state tables and adds others, both by local files: together, or the
   * rows after the changes if the engine cannot do that.
   */
  append(changes: readonly StateChange[], files: FromFiles): Promise<void>

  promotion: Promotion
  /**
   * Begins the work of closing (a checkpoint, for example) while the session can still be used, because no further writes
   * are expected. `tidies`: also brings together what many runs have written in small pieces. Absent if the engine has
   * nothing to do then.
   */
  settle?(tidies: boolean): void
  /**
   * Closes every connection; for a file engine the lock is free afterwards, with `endsSoon` at the end of the process or two
   * seconds later. Idempotent.
   */
  close(): Promise<void>
}

/** The relations of schemas, by the name of the schema. */
export type Inventory = ReadonlyMap<string, readonly InventoryEntry[]>

export interface InventoryEntry {
  readonly name: string
  readonly kind: RelationKind
  /** Of a table that a crash of the server empties: whether it has no rows. */
  readonly isEmptied?: true
  /**
   * Of a view: what writes its query, and a hash of the query as that writes it, with a blank between them. Two hashes of
   * one writer that differ are of different statements; equal ones may differ in what it does not always write in one way,
   * such as the type of a cast.
   */
  readonly text?: string
}

/** The columns that a production view is to have; undefined if it is removed. */
export interface ShapeChange {
  readonly view: Relation
  readonly columns: readonly Column[] | undefined
}

/** A view of others, or something else that hangs on a production view, directly or not. */
export interface BrokenReader {
  readonly view: Relation
  /** In the words of the engine: `materialized view finance.days`. */
  readonly reader: string
  readonly schema: string
  /** What it does with the view; `needs` what is no reading. */
  readonly verb: 'reads' | 'needs'
  /** In the words of the engine; undefined where the view is removed. */
  readonly reason: string | undefined
  readonly hint?: string
}

/** A role that is to read views of a production schema. */
export interface SchemaReader {
  readonly schema: string
  readonly role: string
}

/** What a run of a project works with. */
export interface NeededRights {
  /** The schemas that production views are made in. */
  readonly schemas: readonly string[]
  /** What earlier runs made; undefined where the state that tells it cannot be read, or is not there. */
  readonly made: { readonly views: readonly Relation[]; readonly builds: readonly Relation[] } | undefined
  /** Tables of others that a run reads, in names as a person writes them. */
  readonly tables: readonly Relation[]
  /** Who is to read production, as the project grants it. */
  readonly readers: readonly SchemaReader[]
}

export interface MissingRight {
  /** What is not allowed, to follow "the role may not". */
  readonly what: string
  /** The statement that allows it, for an administrator. */
  readonly statement: string
}

/** The parts of a session that are needed to plan a run. */
export type WarehouseReader = Pick<
  WarehouseSession,
  'dialect' | 'query' | 'relations' | 'inventory' | 'views' | 'presentRoles' | 'brokenReaders' | 'requireRoom'
> & {
  readonly state: StateReader
  /**
   * Returns what `find` found by asking this reader alone, for as long as the warehouse is as it was then. A session remembers
   * nothing and has no such function.
   */
  readonly recall?: <Row extends JsonRow>(
    question: string,
    find: () => Promise<readonly Row[]>,
  ) => Promise<readonly Row[]>
}

/** The parts of a session that a state store needs. */
export type StateAccess = Pick<WarehouseSession, 'query' | 'relations' | 'transaction'>

/** One relation to create in a green schema. */
export type BuildTask = { readonly id: string; readonly target: Relation } & (
  | { readonly kind: 'table' | 'view'; readonly sql: string; readonly around?: Around }
  /**
   * A raw load: `sql` is DuckDB SQL over local spool files, and every adapter knows how to load its rows. With `stages`
   * it is SQL of the engine, over its own tables and these.
   */
  | {
      readonly kind: 'load'
      readonly sql: string
      readonly columns: readonly Column[]
      /** Whether `sql` reads tables of the warehouse itself: the relation is then a view. */
      readonly view?: true
      readonly stages?: readonly Stage[]
      /** Rows from the same files for state tables, added together with the record of the load. */
      readonly appends?: readonly Append[]
    }
)

/** Statements in the transaction that makes a relation; a failed one has its place in the error (`around`). */
export interface Around {
  readonly before: readonly string[]
  readonly keys: readonly TableKey[]
  readonly options?: TableOptions
  readonly indexes: readonly TableIndex[]
  readonly after: readonly string[]
}

/** Rows of local files that are in the warehouse for one build only, in a table named without a schema. */
export interface Stage {
  readonly name: string
  /** SQL like that of a load. */
  readonly sql: string
  readonly columns: readonly Column[]
}

/** Returns whether the task makes a view, which has no rows of its own. */
export function isViewTask(task: BuildTask): boolean {
  return task.kind === 'view' || (task.kind === 'load' && task.view === true)
}

/**
 * `sql` is DuckDB SQL like that of a load, and returns exactly `columns` in order; `facts` are the same in
 * each row.
 */
export interface Append {
  readonly table: OwnedTable
  readonly facts: Row
  readonly columns: readonly string[]
  readonly sql: string
}

/** Rows of the project that leave a state table: those whose column has one of the values of a query like that of a load. */
export interface Removal {
  readonly table: OwnedTable
  readonly where: readonly Condition[]
  readonly column: string
  readonly sql: string
}

export interface FromFiles {
  readonly removals: readonly Removal[]
  readonly rows: readonly Append[]
}

export type ExportedRows =
  /** Without `onMisfits`, a value that no file holds is an error. */
  | { readonly sql: string; readonly onMisfits?: (misfits: Misfits) => void }
  | { readonly table: OwnedTable; readonly columns: readonly string[]; readonly where: readonly Condition[] }

/** Values of a column that the engine has and its type in a file does not, as NaN among decimals: there they are NULL. */
export interface Misfits {
  readonly column: string
  readonly type: string
  readonly count: number
  /** The column of the file that has their texts. */
  readonly texts: string
}

export interface BuildOptions {
  readonly signal?: AbortSignal
  /** Called before a task starts. */
  readonly onStart?: (task: BuildTask) => void
  /**
   * Called when a task has its rows. The returned changes of state are committed together with the relation,
   * or after it if the engine cannot do that, so that a record never exists without its relation.
   */
  readonly record: (task: BuildTask, result: BuildResult) => readonly StateChange[]
  readonly onEnd: (task: BuildTask, outcome: BuildOutcome) => void
  /** Called by an engine with `sharedCommits` for one more task that may start now. */
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

/** The complete change of a promotion or rollback. */
export interface PointerChange {
  readonly environment: string
  readonly runId: string
  /** The generation that must be live now (0: none yet); otherwise the flip fails with `promotion-stale`. */
  readonly fromGeneration: number
  readonly toGeneration: number
  /** The production views to create or replace, with explicit columns. */
  readonly views: readonly ProductionView[]
  readonly drops: readonly Relation[]
  /** Who may read views from now on; empty for an engine without roles. */
  readonly grants: readonly ViewGrant[]
  /** The changes of state that are committed with the flip: history, catalogue, cursors. */
  readonly changes: readonly StateChange[]
}

/** Roles that may read a view from now on, and those that may no longer. */
export interface ViewGrant {
  readonly view: Relation
  readonly grant: readonly string[]
  readonly revoke: readonly string[]
}

export interface ProductionView {
  readonly view: Relation
  readonly target: Relation
  /**
   * Used instead of `target`: the compiled query of a `view` asset, so that every view names physical tables.
   */
  readonly query?: string
  readonly columns: readonly Column[]
  readonly description: string | undefined
}

/** What a promotion says of itself though it succeeds. */
export type PromotionWarning = Omit<Warning, 'asset' | 'place'>

export type TellPromotion = (warning: PromotionWarning) => void

/**
 * `prepare` may touch the public views but must not change what they return; `flip` is one atomic step and
 * sets `svc_live`; `settle` tidies up and may be completed by a later process (`pending` says what is left).
 */
export interface Promotion {
  prepare(change: PointerChange, tell: TellPromotion): Promise<void>
  flip(change: PointerChange, tell: TellPromotion): Promise<void>
  settle(change: PointerChange, tell: TellPromotion): Promise<void>
  /**
   * Completes or undoes the promotion of a dead process, before anything else is done. Returns what it did.
   */
  recover(environment: string, tell: TellPromotion): Promise<'nothing' | 'rolled-back' | 'rolled-forward'>
}
