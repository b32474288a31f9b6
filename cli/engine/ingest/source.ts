/**
 * One interface for every kind of source. A fetch runs with the warehouse closed: it leaves files in a spool and says
 * what they hold; loading them is the warehouse adapter's business.
 */

import type { SourceShapeCache } from '@svc/server/catalog'
import type { DriftChange } from '@svc/server/contract'
import type { Asset, Column, Engine, Ingest, RawTable } from '@svc/server/language'

export interface FetchContext {
  readonly asset: Asset
  /** The engine of the project: names and types of raw tables are its own. */
  readonly engine: Engine
  /** The project's root, absolute. Relative paths in assets start here. */
  readonly root: string
  /** A folder of this fetch alone, already made (mode 0700); removed by the caller after loading. */
  readonly spoolFolder: string
  /** What was loaded last, so that types never shrink without need; undefined on the first load. */
  readonly previous: readonly RawTable[] | undefined
  /**
   * What was loaded last as far as anything says so: what a contract means by new. Absent: `previous`; empty or
   * undefined there: the source was never loaded, and everything is taken in once.
   */
  readonly known?: readonly RawTable[] | undefined
  /** What is loaded in this environment: what drift is told against. Absent: `known`. */
  readonly loaded?: readonly RawTable[] | undefined
  /** Told before the contract has its say: a source that is refused has drifted all the same. */
  readonly onPageDrift?: (changes: readonly DriftChange[]) => void
  /** Told the first rejects of a source that its contract refuses: nothing of it is loaded. */
  readonly onRefused?: (refused: RefusedRecords) => void
  /** What was seen in local files before: of use to a peek, never to a fetch. */
  readonly looks?: SourceShapeCache
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly onProgress: (progress: FetchProgress) => void
  /** Told every request to a web service, for the log. */
  readonly onRequest?: (request: RequestEntry) => void
}

export interface RequestEntry {
  readonly method: string
  /** Without credentials. */
  readonly url: string
  /** Absent: no answer came. */
  readonly status?: number
  readonly seconds: number
  readonly error?: string
}

export interface FetchProgress {
  readonly rows: number
  readonly bytes: number
  readonly pages: number
  /** Something the user should know now: waiting for Retry-After, trying again. */
  readonly note?: string
}

/** A fetched source, ready to load. */
export interface FetchedSource {
  readonly asset: string
  /** Hash of the content: equal content gives an equal id, whatever the paging. */
  readonly loadId: string
  readonly rows: number
  readonly bytes: number
  /** First the table of `{{ source }}`, then its children. */
  readonly tables: readonly FetchedTable[]
  /** Source columns left out by `include`/`exclude`. */
  readonly excludedColumns: readonly string[]
  /** What differs from the last load; empty on the first one. */
  readonly drift: readonly DriftChange[]
  /** What changed between the pages of this fetch, and was not so at the last load. */
  readonly pageDrift: readonly DriftChange[]
  /** Tables and columns as the source delivered them, before the contract had its say. */
  readonly delivered: readonly RawTable[]
  /** What the contract keeps out of the tables; undefined: nothing. */
  readonly rejects: FetchedRejects | undefined
  /** A SELECT over the same files: `record_hash` of the records that are loaded, as `svc_rejects` has it. */
  readonly recordHashes: string
}

/** What a contract keeps out of a load. All of it goes to `svc_rejects`, in the transaction of the load. */
export interface FetchedRejects extends RejectCounts {
  /** A SELECT like that of a table, over the same files, giving `rejectColumns`. */
  readonly sql: string
}

export interface RejectCounts {
  /** Records left out whole, with their child rows. */
  readonly rows: number
  /** Values left out, of columns that stay. */
  readonly values: number
  /** New columns left out: `name`, of a child table `child.name`. */
  readonly columns: readonly string[]
  /** New child tables left out. */
  readonly tables: readonly string[]
}

/** A source that brought more rejects than its contract allows. */
export interface RefusedRecords extends RejectCounts {
  readonly loadId: string
  /** The first of them, as `rejectColumns` say. */
  readonly first: readonly Readonly<Record<string, unknown>>[]
}

export interface FetchedTable {
  readonly shape: RawTable
  readonly columns: readonly Column[]
  /**
   * A SELECT in DuckDB's SQL over local files (spool or the user's own), giving exactly `columns` in order. DuckDB
   * runs it as it is; other adapters run it in an embedded DuckDB and bring the rows over.
   */
  readonly sql: string
}

export interface Source {
  /** Whether a fetch goes on from what an interrupted one left in the spool folder. */
  readonly resumes?: true
  fetch(context: FetchContext): Promise<FetchedSource>
  /**
   * What the source holds, from at most one page, without loading it (`plan`, `doctor`, `sample --source raw` of what
   * was never loaded). Throws SvcError as `fetch` does.
   */
  peek(context: FetchContext): Promise<readonly RawTable[]>
}

export type IngestOf<T extends Ingest['type']> = Extract<Ingest, { type: T }>
