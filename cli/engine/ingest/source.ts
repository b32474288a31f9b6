/**
 * The interface that every kind of source implements. A fetch runs while the warehouse is closed: it leaves
 * files in a spool and describes their content; the warehouse adapter loads them.
 */

import type { SourceShapeCache } from '@svc/server/catalog'
import type { DriftChange, WarningCode } from '@svc/server/contract'
import type {
  Asset,
  ChangesTold,
  Column,
  Engine,
  FileLayout,
  Hint,
  Ingest,
  RawColumn,
  RawTable,
} from '@svc/server/language'
import type { BuildRecord, LoadedFile } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { LoadBase } from './incremental/base.ts'
import type { Joining } from './incremental/joined-table.ts'
import type { KnownAnswers } from './rest/answer-memory.ts'
import type { HostPaces } from './rest/host-pace.ts'

export interface FetchContext {
  readonly asset: Asset
  /** The engine of the project, which decides names and types of raw tables. */
  readonly engine: Engine
  readonly personal: PersonalInSource
  /** The absolute path of the project's root, against which paths in assets are resolved. */
  readonly root: string
  /** An existing folder (mode 0700) for this fetch alone; the caller removes it after loading. */
  readonly spoolFolder: string
  /**
   * The tables of the last load, so that types are never narrowed without need; undefined on the first load.
   */
  readonly previous: readonly RawTable[] | undefined
  /**
   * The tables that a contract treats as known, from any record of an earlier load. Absent means `previous`;
   * empty or undefined means that the source was never loaded, so that everything is accepted once.
   */
  readonly known?: readonly RawTable[] | undefined
  /** The tables that are loaded in this environment, with which drift is compared. Absent means `known`. */
  readonly loaded?: readonly RawTable[] | undefined
  /** Returns the columns that the load behind production was made without, though earlier ones had them. */
  readonly dropped?: () => readonly RawTable[]
  /** The load that this one continues; absent where every record is wanted. */
  readonly base?: LoadBase | undefined
  /** The number of records of the load that is live; absent if nothing is. */
  readonly lastRows?: number | undefined
  /** The live load, where one of the same content would be the same load. */
  readonly lastLoad?: BuildRecord | undefined
  /** The rows of the asset of `for_each`; absent where a source has none, or only a run knows them. */
  readonly parents?: ParentRows | undefined
  /** How text files may be written, as promotions agreed; absent where nothing was agreed yet. */
  readonly layouts?: readonly FileLayout[] | undefined
  /** Called before the contract is checked, so that drift is reported even if the source is refused. */
  readonly onPageDrift?: (changes: readonly DriftChange[]) => void
  /** Called with the first rejects of a source that its contract refuses; nothing of it is loaded. */
  readonly onRefused?: (refused: RefusedRecords) => void
  /** Results of earlier analyses of local files, for peeks only; a fetch always reads the files. */
  readonly looks?: SourceShapeCache
  /** Opens the warehouse for a source that is in it; absent for all others, which are fetched while it is closed. */
  readonly warehouse?: UseWarehouse
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly onProgress: (progress: FetchProgress) => void
  /** The live load of the same source, with what its answers are known by; absent where everything is to be fetched. */
  readonly live?: LiveAnswers | undefined
  /** Called with what the answers of this fetch are known by; undefined if they have no marks. */
  readonly onAnswers?: (answers: KnownAnswers | undefined) => void
  /** What hosts bear, for all sources that are fetched at the same time; absent where there is one. */
  readonly hosts?: HostPaces
  /** Called with what is not as expected of the source, and is no reason to refuse it: a run shows it as a warning. */
  readonly onWarning?: (warning: SourceWarning) => void
  /** Called with what the first page of a web service has shown, for whoever writes it down. */
  readonly onDetected?: (found: DetectedPages) => void
  /** Called for every request to a web service, for the log. */
  readonly onRequest?: (request: RequestEntry) => void
}

/** What no message, event or log repeats of the records of a source. */
export interface PersonalInSource {
  /** Whether any column may be personal. */
  readonly any: boolean
  /** Whether a column is: marked at the source or in the output, named by a policy, or what such columns are made of. */
  column(name: string): boolean
}

export const nothingPersonal: PersonalInSource = { any: false, column: () => false }

/** Returns whether a message may have a value of a column as its example. */
export function isTold({ personal }: Pick<FetchContext, 'personal'>, { pii, name }: RawColumn): boolean {
  return !pii && !personal.column(name)
}

export interface LiveAnswers {
  readonly load: BuildRecord
  readonly answers: KnownAnswers
}

export interface ParentRows {
  readonly rows: readonly ParentRow[]
  /** Whether no message and no log may show their values. */
  readonly isPersonal: boolean
}

/** The values of a row, by the columns that the source names. None is NULL. */
export type ParentRow = Readonly<Record<string, ParentValue>>

export interface ParentValue {
  readonly text: string
  /** The text is a number or a boolean, as JSON writes it. */
  readonly isPlain: boolean
}

/** The warehouse while it is open, for a source that is in it. */
export type UseWarehouse = <T>(use: (session: WarehouseSession) => Promise<T>) => Promise<T>

/** `count` and `example` are of what the message tells in words; an example is never a personal value. */
export interface SourceWarning {
  readonly code: WarningCode
  readonly message: string
  readonly hint?: Hint
  readonly count?: number
  readonly example?: string
}

export interface DetectedPages {
  /** The path of the records in a page, with dots; undefined for a list or lines. */
  readonly records: string | undefined
  /** The keys of `paginate`, with their names in the file. */
  readonly paginate: Readonly<Record<string, string | number>>
  /** What the page says of more, where no way of paging leads there: `"total" is 250`. */
  readonly more?: string
  /** How many records it holds. */
  readonly loaded?: number
}

export interface RequestEntry {
  readonly method: string
  /** The address without credentials. */
  readonly url: string
  /** Absent if there was no response. */
  readonly status?: number
  readonly seconds: number
  readonly error?: string
}

/** Tells the user something before there is anything to count. */
export function tellAtFirst({ onProgress }: Pick<FetchContext, 'onProgress'>, note: string): void {
  onProgress({ rows: 0, bytes: 0, pages: 0, note })
}

/** Warns of what an interrupted fetch has kept and this one cannot use. */
export function keptInVain({ onWarning }: Pick<FetchContext, 'onWarning'>, message: string): void {
  onWarning?.({
    code: 'kept-pages-lost',
    message,
    hint: 'Nothing is lost: the source is fetched from its beginning.',
  })
}

export interface FetchProgress {
  readonly rows: number
  readonly bytes: number
  readonly pages: number
  /** A message for the user during the fetch: waiting for Retry-After, or retrying. */
  readonly note?: string
}

/** A fetched source, ready to load. */
export interface FetchedSource {
  readonly asset: string
  /** The hash of the content: equal content gives an equal id, however the pages were divided. */
  readonly loadId: string
  readonly rows: number
  readonly bytes: number
  /** First the table of `{{ source }}`, then its child tables. */
  readonly tables: readonly FetchedTable[]
  /** The source columns that `include` and `exclude` leave out. */
  readonly excludedColumns: readonly string[]
  /** The differences from the last load; empty on the first one. */
  readonly drift: readonly DriftChange[]
  /** The changes between the pages of this fetch that the last load did not have. */
  readonly pageDrift: readonly DriftChange[]
  /** The tables and columns as the source delivered them, before the contract was checked. */
  readonly delivered: readonly RawTable[]
  /** What the contract keeps out of the tables; undefined if nothing. */
  readonly rejects: FetchedRejects | undefined
  /** How the tables join those of the load before; absent where they replace it. */
  readonly joining?: Joining
  /** All files whose records are in the load, where each is loaded once. */
  readonly files?: readonly LoadedFile[]
  /** How its text files are written, for the lock; absent where it has none. */
  readonly layouts?: readonly FileLayout[]
  /** Whether the SELECTs of the tables read the warehouse itself: the load is then a view. */
  readonly inWarehouse?: true
  /** Set where the rows were not read, because the user says what tells a change. */
  readonly told?: ChangesTold
  /** A SELECT over the same files that returns `record_hash` of the loaded records, as in `svc_rejects`. */
  readonly recordHashes: string
}

/**
 * The records and values that a contract keeps out of a load. They are all written to `svc_rejects`, in the
 * transaction of the load.
 */
export interface FetchedRejects extends RejectCounts {
  /** A SELECT over the same files, like that of a table, that returns `rejectColumns`. */
  readonly sql: string
}

export interface RejectCounts {
  /** The number of rejected records, with their child rows. */
  readonly rows: number
  /** The number of omitted values, of columns that are loaded. */
  readonly values: number
  /** The new columns that were left out: `name`, or `child.name` for a child table. */
  readonly columns: readonly string[]
  /** The new child tables that were left out. */
  readonly tables: readonly string[]
}

/** A source with more rejects than its contract allows. */
export interface RefusedRecords extends RejectCounts {
  readonly loadId: string
  /** The first rejects, with the columns of `rejectColumns`. */
  readonly first: readonly Readonly<Record<string, unknown>>[]
}

export interface FetchedTable {
  readonly shape: RawTable
  readonly columns: readonly Column[]
  /**
   * A SELECT in DuckDB's SQL over local files (spool or the user's own) that returns exactly `columns` in
   * order. DuckDB runs it directly; other adapters run it in an embedded DuckDB and copy the rows.
   */
  readonly sql: string
}

export interface Source {
  /** Whether a fetch goes on from what an interrupted one left in the spool folder. */
  readonly resumes?: true
  fetch(context: FetchContext): Promise<FetchedSource>
  /** Fetches about a page of the source, or what is on this disk, for `discover`; absent for sources that it does not look at. */
  sample?(context: FetchContext): Promise<FetchedSource>
  /**
   * Returns the tables of the source from at most one page, without loading it (for `plan`, `doctor` and
   * `sample --source raw` of a source that was never loaded). Throws SvcError as `fetch` does.
   */
  peek(context: FetchContext): Promise<readonly RawTable[]>
}

export type IngestOf<T extends Ingest['type']> = Extract<Ingest, { type: T }>
