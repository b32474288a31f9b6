/** The interface of a database that rows are read from: one file a kind, listed in `open-database.ts`. */
import type { Secrets } from '../credentials.ts'
import type { FetchContext, IngestOf } from '../source.ts'
import type { RowSpool } from './row-spool.ts'
import type { RowColumn } from './spooled-rows.ts'

/** A column of the table or query, and how its values are asked for. */
export interface DatabaseColumn extends RowColumn {
  /** The value in the SQL of the database, as a text that the reader of the spool takes. */
  readonly select: string
  /** A number whose width only its values tell. */
  readonly isDecimal?: true
}

/** Which columns are read, and where their rows go. */
export interface ReadRows {
  readonly columns: readonly DatabaseColumn[]
  readonly spool: RowSpool
  /** Only rows from this value of a column on, and those without one. */
  readonly since?: Since
  /** Called for every block of rows that has arrived. */
  readonly onRows: () => void
}

export interface Since {
  /** Its name in the database. */
  readonly column: string
  /** The value as text, in UTC. */
  readonly value: string
}

/** Columns are named as in the database. */
export interface TableFacts {
  readonly description: string | undefined
  /** The columns of the primary key in its order; empty without one. */
  readonly primaryKey: readonly string[]
  /** The columns that cannot be NULL. */
  readonly required: readonly string[]
  /** The comments of columns that have one. */
  readonly descriptions: ReadonlyMap<string, string>
}

export const noFacts: TableFacts = {
  description: undefined,
  primaryKey: [],
  required: [],
  descriptions: new Map(),
}

export interface Database {
  /** Returns the columns of the table or query, without reading rows. */
  columns(): Promise<readonly DatabaseColumn[]>
  /** Returns the tables and views of the database as `schema.table`, without those of the system. */
  tables(): Promise<readonly string[]>
  /** Returns what the database says of the table beside its columns; nothing of a query. */
  facts(): Promise<TableFacts>
  /** Writes all rows to the spool, as they were at one moment. */
  read(rows: ReadRows): Promise<void>
  /** Ends the connections; a statement that still runs is cancelled. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly ingest: IngestOf<'sql'>
  readonly address: DatabaseAddress
  readonly context: FetchContext
  readonly secrets: Secrets
}

export interface DatabaseAddress {
  /** The name before the colon, in lower case. */
  readonly scheme: string
  /** The whole address with its secrets. */
  readonly text: string
  /** The password that `ingest.credentials` gives; absent if the address has one. */
  readonly password?: string
  /** The address as a person may see it. */
  readonly shown: string
}

/** Why a database refused, in terms that decide what to do. */
export type Failure =
  /** It cannot be reached, or the connection broke: worth another try. */
  | 'unreachable'
  /** It knows the user, the password or the right not. */
  | 'denied'
  /** It does not know the table, or the query is wrong. */
  | 'statement'

export class DatabaseError extends Error {
  readonly failure: Failure
  readonly hint: string | undefined

  constructor(failure: Failure, message: string, { hint, cause }: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause })
    this.failure = failure
    this.hint = hint
  }
}
