/** The interface of a database that rows are read from: one file a kind, listed in `open-database.ts`. */
import type { SourceType } from '@svc/server/language'
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
  /** Its type where its values fit no decimal, of a database whose numbers are not exact; absent where that is text. */
  readonly inexact?: SourceType
}

export function scalar(type: string): SourceType & { readonly kind: 'scalar' } {
  return { kind: 'scalar', type }
}

/** Which columns are read, and where their rows go. */
export interface ReadRows {
  readonly columns: readonly DatabaseColumn[]
  readonly spool: RowSpool
  /** Only the rows of a part of the cursor, and in the first part those without a value. */
  readonly bounds?: Bounds
  /** The column in whose order they come, by its name in the database. */
  readonly order?: string
  /** The part of the spool that they go to, of a read without parts of its own. */
  readonly part?: number
  /** Called for every block of rows that has arrived. */
  readonly onRows: () => void
}

/** A part of the values of a column. Values are texts, and times in UTC. */
export interface Bounds {
  /** Its name in the database. */
  readonly column: string
  /** The first value; absent where it begins at the beginning. */
  readonly from?: string
  /** The first value that is no part of it any more. */
  readonly below?: string
  /** The last value. */
  readonly to?: string
  /** Rows without a value are part of it. */
  readonly withNulls: boolean
}

/** The least and the greatest value of a column, as texts, times in UTC. */
export interface Span {
  readonly least: string
  readonly greatest: string
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

export interface Database {
  /** Returns the columns of the table or query, without reading rows. */
  columns(): Promise<readonly DatabaseColumn[]>
  /** Returns the tables and views of the database as `schema.table`, without those of the system. */
  tables(): Promise<readonly string[]>
  /** Returns what the database says of a table beside its columns. */
  facts(table: string): Promise<TableFacts>
  /** Returns which values the column of these bounds has within them; undefined if it has none. */
  span(bounds: Bounds, columns: readonly DatabaseColumn[]): Promise<Span | undefined>
  /** Writes the rows to the spool, as they were at one moment. All reads of a connection see the same one. */
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
