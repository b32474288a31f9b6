/**
 * The interface of a kind of source in the language: one object in one file. `cli/engine/ingest` fetches its
 * data, `server/language/source` derives its tables.
 */
import type { ForEach, Ingest, JsonValue } from '../schema/definition.ts'
import type { Variant } from '../schema/shape.ts'
import type { FileOptions, LocalFiles } from '../source/file-options.ts'
import type { Severity } from '../text/diagnostic.ts'
import type { ExternalDataset } from './external-dataset.ts'
import type { HistoryRules } from './history-rules.ts'

/** The `ingest` of an asset that has a source. */
export type SourceIngest = Exclude<Ingest, { readonly type: 'none' }>

export interface RowRequests {
  readonly forEach: ForEach | undefined
  /** The columns of the rows that the source needs. */
  readonly columns: readonly string[]
}

/** Keys of a source that do not go together, or without each other. */
export interface CursorConflict {
  /** The path of the key below `ingest`. */
  readonly key: readonly string[]
  /** An error if absent. */
  readonly severity?: Severity
  readonly message: string
  readonly hint: string
}

export interface LimitedLoads<Of extends SourceIngest> {
  /** Whether the next load goes on where `limits.max_rows` has ended one. */
  goesOn(ingest: Of): boolean
  /** What it needs for that, as a sentence. */
  readonly need: string
}

/** By what the user says that rows have changed, so that they need not be read for that. */
export type ChangesTold = { readonly by: 'never' } | { readonly by: 'column'; readonly column: string }

export interface SourceKind<Of extends SourceIngest> {
  /** Its name, its documentation and its keys in the file. */
  readonly variant: Variant
  /** The description that follows "from" in a sentence. */
  readonly inWords: string
  /** Returns one line for the summary of an asset. It may hold a secret that somebody wrote into an address. */
  summary(ingest: Of): string
  /** Returns the part that affects data, destructured key by key. */
  identity(ingest: Of): JsonValue
  /** What an edit of its keys means for the rows that loads have gathered. */
  readonly history: HistoryRules<Of>
  /** Returns the valid `options`, each with its rule. */
  options?(ingest: Of): readonly { readonly name: string; readonly must: string }[]
  /** Returns the files that hold the data, for a kind that reads local files; undefined where they are elsewhere. */
  localFiles?(ingest: Of): LocalFiles | undefined
  /** Returns what the source says of how its text files are written; undefined where it reads none. */
  textOptions?(ingest: Of): FileOptions | undefined
  /** Returns whether a load reads only what no load before has, for a kind that can tell without a cursor. */
  loadsOnlyNew?(ingest: Of): boolean
  /** Returns what is wrong with the keys of a cursor, for a kind that is asked along it. */
  cursorConflicts?(ingest: Of): Iterable<CursorConflict>
  /** How a limit of rows goes with a cursor, for a kind that can be asked in the order of it. */
  readonly limitedLoads?: LimitedLoads<Of>
  /** Returns the records, for a kind that has them in the asset file: they change with the definition alone. */
  ownRecords?(ingest: Of): readonly unknown[]
  /** Returns what it reads, where that has a name; `endpoint` is what its variable says. It may hold a secret that somebody wrote into a path. */
  dataset?(ingest: Of, endpoint: string): ExternalDataset | undefined
  /** Returns how requests use rows of another asset, for a kind whose requests may; without `forEach` they are to use none. */
  rowRequests?(ingest: Of): RowRequests
  /** Returns by what changes are told, for a kind that may be told so; undefined where its content is read. */
  changesTold?(ingest: Of): ChangesTold | undefined
  /** Whether the rows are in the warehouse already, so that the source is looked at while it is open. */
  readonly inWarehouse?: true
  /** A new asset's `ingest` block, with placeholders from the third on. */
  readonly skeleton: {
    readonly label: string
    readonly detail: string
    ingest(name: string): readonly string[]
  }
}
