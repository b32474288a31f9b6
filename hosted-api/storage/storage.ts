/**
 * The storage interface of the service: reads, atomic writes, and a revision per project. Only this folder
 * knows the engine.
 */
import type { Knex } from 'knex'

/** The values of both engines: booleans are 0 and 1, times ISO 8601 text, lists and objects JSON text. */
export type Cell = string | number | null
export type Row = Readonly<Record<string, Cell>>

export type Engine = 'sqlite' | 'postgres'

/**
 * Runs SQL with `?` for each value, or a query of `build`. A text is prepared once per connection, so never
 * put values into it.
 */
export interface Queries {
  readonly engine: Engine
  /** Builds queries (`build('term').where(…)`); it has no connection of its own. */
  readonly build: Knex
  all<R extends Row = Row>(query: Query, values?: readonly Cell[]): Promise<readonly R[]>
  first<R extends Row = Row>(query: Query, values?: readonly Cell[]): Promise<R | undefined>
}

export type Query = string | Knex.QueryBuilder

/** A statement that inserts rows and returns them, but for those to which another record is in the way. */
export interface RowInsert {
  /** The table. */
  readonly into: string
  readonly columns: readonly string[]
  /** What comes behind the values, with `returning`. */
  readonly end: string
  /** The returned columns that two rows never have in common. */
  readonly key: readonly string[]
}

/** One change of a write: a row of the audit log, and a new revision of its project. */
export interface Change {
  /** Undefined for the service itself (tokens, projects). */
  readonly project: number | undefined
  /** For example `term.create`, `token.revoke`. */
  readonly action: string
  /** For example `term:12`. */
  readonly target: string
  readonly actor: string
  readonly requestId: string
  /** The record number of the token; a request adds it by itself. */
  readonly tokenId?: number
  /** JSON; never a secret. */
  readonly details?: unknown
}

export interface Tx extends Queries {
  /**
   * Locks the rows that it reads until the transaction ends. Needed for "read, decide, write"; on SQLite,
   * which has one writer, this is `first`.
   */
  firstForUpdate<R extends Row = Row>(query: string, values?: readonly Cell[]): Promise<R | undefined>
  /** Inserts a row; undefined if another record is in the way. On SQLite those of similar writes are inserted together. */
  insert(insert: RowInsert, values: readonly Cell[]): Promise<Row | undefined>
  /** Written with the transaction. */
  record(change: Change): void
  /** Rolls the transaction back and returns its result all the same (`dry_run`). */
  discard(): void
}

export interface WriteOptions {
  /**
   * Whether it decides nothing by what similar writes wrote, so that on SQLite they may be interleaved in one
   * transaction. Creations are independent, because a constraint decides whether a record is in the way.
   */
  readonly isIndependent?: boolean
  /** Whether it writes many rows: on SQLite, which has one writer, it is not put together with short writes. */
  readonly isLong?: boolean
  /** Whose write it is (a token): on SQLite the owners take turns. 0: the service itself. */
  readonly owner?: number
}

export interface Storage {
  readonly engine: Engine
  /** For people and logs, without a password. */
  readonly place: string
  readonly clock: () => Date
  /** The name of this server among those of the database. */
  readonly server: string
  readonly reads: Queries
  /** The same on connections of their own, so that nothing else waits for a query that takes long. */
  readonly longReads: Queries
  /**
   * Runs `work` in a transaction and resolves when it is on disk. An error of `work` rolls everything back
   * and is rethrown. `work` must only query the database, because on SQLite all writers wait for it. It may
   * run more than once.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Increases with every write to the project. Undefined if the project does not exist or was deleted. */
  revision(project: number): Promise<number | undefined>
  /** Everything that `work` reads is from one snapshot, however long it takes; writers continue meanwhile. */
  snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Whether the server of that name runs still, as its database sees it; undefined if nobody can tell. */
  isServing(queries: Queries, server: string): Promise<boolean | undefined>
  /** Reads a row of each table; throws if the database does not answer or cannot be read. */
  ping(): Promise<unknown>
  /** Flushes the queue and closes all connections. */
  close(): Promise<void>
}

/** What a process that only reads has of it. */
export type Readers = Pick<Storage, 'engine' | 'reads' | 'longReads' | 'revision' | 'close'>
