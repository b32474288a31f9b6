/**
 * The store as the rest of the service sees it: reads, writes that are all or nothing, and a revision a project. Which
 * engine keeps the rows is known below this folder only.
 */
import type { Knex } from 'knex'

/** What both engines give back and take: booleans are 0 and 1, times ISO 8601 text, lists and objects JSON text. */
export type Cell = string | number | null
export type Row = Readonly<Record<string, Cell>>

export type Engine = 'sqlite' | 'postgres'

/**
 * Runs SQL with `?` for each value, or a query of `build`. The same text is prepared once a connection: texts must not
 * be made of values.
 */
export interface Queries {
  readonly engine: Engine
  /** Makes queries (`build('term').where(…)`); it has no connection of its own. */
  readonly build: Knex
  all<R extends Row = Row>(query: Query, values?: readonly Cell[]): Promise<readonly R[]>
  first<R extends Row = Row>(query: Query, values?: readonly Cell[]): Promise<R | undefined>
}

export type Query = string | Knex.QueryBuilder

/** One thing that a write did: a row of the audit log, and one more revision for its project. */
export interface Change {
  /** Undefined: of the service itself (tokens, projects as such). */
  readonly project: number | undefined
  /** `term.create`, `token.revoke`. */
  readonly action: string
  /** `term:12`. */
  readonly target: string
  readonly actor: string
  readonly requestId: string
  /** JSON; never a secret. */
  readonly details?: unknown
}

export interface Tx extends Queries {
  /**
   * Locks the rows that it reads until the transaction ends. Needed before "read, decide, write": on SQLite there is
   * one writer and this is `first`.
   */
  firstForUpdate<R extends Row = Row>(query: string, values?: readonly Cell[]): Promise<R | undefined>
  /** Written with the transaction. */
  record(change: Change): void
  /** Nothing of this transaction is kept, and its result is returned all the same (`dry_run`). */
  discard(): void
}

export interface WriteOptions {
  /**
   * It decides nothing by what others of its kind write: on SQLite they may run through each other, in one transaction.
   * So do creations, where a constraint says whether a record is in the way.
   */
  readonly isIndependent?: boolean
}

export interface Storage {
  readonly engine: Engine
  /** For people and logs: no password. */
  readonly place: string
  readonly clock: () => Date
  readonly reads: Queries
  /**
   * Runs `work` in a transaction and answers when it is on disk. What `work` throws undoes everything and is thrown.
   * `work` does nothing but ask the database: on SQLite all writers wait for it. It may run more than once.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Grows with every write to the project. Undefined: there is no such project, or not any more. */
  revision(project: number): Promise<number | undefined>
  /** All that `work` reads is of one moment, however long it takes; writers go on meanwhile. */
  snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Asks the database a question that it always can answer; throws when it does not. */
  ping(): Promise<void>
  /** Writes the queue out and closes all connections. */
  close(): Promise<void>
}
