/**
 * One interface for every kind of source. A fetch runs with the warehouse closed: it leaves files in a spool and says
 * what they hold; loading them is the warehouse adapter's business.
 */
import type { Asset, Column, Ingest, RawTable } from '@svc/server/language'

export interface FetchContext {
  readonly asset: Asset
  /** The project's root, absolute. Relative paths in assets start here. */
  readonly root: string
  /** A folder of this fetch alone, already made (mode 0700); removed by the caller after loading. */
  readonly spoolFolder: string
  /** What was loaded last, so that types never shrink without need; undefined on the first load. */
  readonly previous: readonly RawTable[] | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly onProgress: (progress: FetchProgress) => void
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
  fetch(context: FetchContext): Promise<FetchedSource>
  /**
   * What the source holds, from at most one page, without loading it (`plan`, `doctor`, `sample --source raw` of what
   * was never loaded). Throws SvcError as `fetch` does.
   */
  peek(context: FetchContext): Promise<readonly RawTable[]>
}

export type IngestOf<T extends Ingest['type']> = Extract<Ingest, { type: T }>
