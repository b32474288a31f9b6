/** The interface of an opened destination: one file a kind, listed in `open-destination.ts`. */
import type { PublishTarget } from '@svc/server/language'
import type { Secrets } from '../ingest/credentials.ts'
import type { World } from '../workspace/workspace.ts'

export type Operation = 'insert' | 'update' | 'delete'

/** A column that is sent: where its values come from, and what it is called there. */
export interface Field {
  readonly name: string
  readonly column: string
  /** The column of the file of rows: a name of ours, so that nothing beside it can be taken for it. */
  readonly inFile: string
  /** The type of the values in the file of rows. */
  readonly type: string
  /** The column of the file with the texts of values that the type cannot hold; absent where there are none. */
  readonly misfits?: string
  readonly isKey: boolean
}

/** A row to be sent. */
export interface SpooledRow {
  /** Its place among all rows of this publish, from 0. */
  readonly index: number
  readonly operation: Operation
  readonly keyHash: string
  readonly rowHash: string
  /** The key as a JSON object, by field. */
  readonly key: string
  /**
   * What the destination wants: a JSON object, or texts between tabs. Of a row that is gone, its key as a JSON object, with
   * the time where it is only marked.
   */
  readonly payload: string
}

/** Rows that are sent together; all of one operation. */
export interface Batch {
  readonly operation: Operation
  readonly rows: readonly SpooledRow[]
  /** The payloads of all rows, each with a line feed, where they are there without making the rows. */
  readonly payloads?: Uint8Array | undefined
  /** The same for the same rows of the same publish, however often they are sent. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  /** Hides secrets and the personal values of all rows in what a target says: it may repeat them, in an answer of any status. */
  readonly hide: (said: string) => string
}

/** What became of a row of a batch that the destination took. */
export type RowOutcome =
  | { readonly taken: true; readonly id?: string }
  | { readonly taken: false; readonly reason: string }

export interface DestinationRequest {
  readonly target: PublishTarget
  readonly root: string
  readonly env: World['env']
  readonly now: () => Date
  readonly secrets: Secrets
  readonly signal: AbortSignal
  /** A folder for files that are needed while rows are sent. */
  readonly folder: string
}

export interface Prepared {
  /** Whether what rows are written into is not there yet. */
  readonly creates: boolean
}

/** Values that a destination cannot hold. */
export interface Unheld {
  /** SQL over the file of rows. */
  readonly condition: string
  /** Follows the name of the column. */
  readonly reason: string
}

export interface OpenDestination {
  /** Where it is, as a person may see it. */
  readonly shown: string
  /** What tells this place from others, without secrets; what was acknowledged elsewhere does not count. */
  readonly place: string
  /**
   * Returns what tells the table that is there from another one of the same name; empty where nothing does, undefined where none
   * is there. Absent where that cannot be asked, and for files, which are written whole.
   */
  readonly identity?: () => Promise<string | undefined>
  /** Whether a batch that comes twice changes nothing the second time, under whatever key. */
  readonly isIdempotent?: boolean
  /** Returns how a column is written in the payload, in the SQL of the file of rows; absent where it is JSON. */
  readonly textOf?: (sql: string, type: string) => string
  /** Returns which values of a column it would change without an error; absent where it changes none. */
  readonly unheld?: (sql: string, type: string) => Unheld | undefined
  /** Whether it reads numbers of JSON as a DOUBLE: then decimals with more digits have to be texts in it. */
  readonly roundsJson?: boolean
  /** Checks that rows with these fields can be written; creates what is missing unless it is only looked at. */
  prepare(fields: readonly Field[], how: 'check' | 'create'): Promise<Prepared>
  /** Sends a batch. Returns the outcome of each row, or nothing where all were taken. Throws `Refused` and `Passing`. */
  send?(batch: Batch): Promise<readonly RowOutcome[] | undefined>
  /** Writes the whole anew, all or nothing: the rows of a query of the local reader. */
  replace?(write: WriteRows): Promise<void>
  /** Removes what an earlier publish of the same left half written, of a kind that can leave something. */
  tidy?(): Promise<void>
  close(): Promise<void>
}

export interface WriteRows {
  /** The fields, in order. */
  readonly fields: readonly Field[]
  /** Runs SQL; `rows` is a relation with a column for each field. */
  readonly run: (sql: (rows: string) => string) => Promise<void>
}

/** The destination does not want these rows: fewer of them may be taken. */
export class Refused extends Error {}

/** The destination cannot be reached now; the batch may have been taken. */
export class Passing extends Error {
  readonly code: 'http-failed' | 'http-status' | 'database-unreachable' | 'file-failed'
  readonly hint: string | undefined
  /** The pause that it asks for. */
  readonly waitMs: number | undefined

  constructor(
    code: Passing['code'],
    message: string,
    { hint, waitMs, cause }: { hint?: string | undefined; waitMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.hint = hint
    this.waitMs = waitMs
  }
}
