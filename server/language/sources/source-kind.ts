/**
 * What a kind of source is to the language: one object in one file. How its data are fetched is in `cli/engine/ingest`,
 * and what tables they become in `server/language/source`.
 */
import type { Ingest, JsonValue } from '../schema/definition.ts'
import type { Variant } from '../schema/shape.ts'
import type { LocalFiles } from '../source/file-options.ts'

/** What an asset with a source says of it. */
export type SourceIngest = Exclude<Ingest, { readonly type: 'none' }>

export interface SourceKind<Of extends SourceIngest> {
  /** Its name, its documentation and its keys in the file. */
  readonly variant: Variant
  /** What it reads, behind "from". */
  readonly inWords: string
  /** One line for the summary of an asset. It may hold a secret that somebody wrote into an address. */
  summary(ingest: Of): string
  /** What of it changes data, taken apart key by key. */
  identity(ingest: Of): JsonValue
  /** What `options` may hold, each with what it must be. */
  options?(ingest: Of): readonly { readonly name: string; readonly must: string }[]
  /** The files that hold the data, for a kind that reads local files. */
  localFiles?(ingest: Of): LocalFiles
  /** The records, for a kind that has them in the asset file: they change with the definition alone. */
  ownRecords?(ingest: Of): readonly unknown[]
  /** An asset to start from: its `ingest` block, with places to fill in from the third on. */
  readonly skeleton: {
    readonly label: string
    readonly detail: string
    ingest(name: string): readonly string[]
  }
}
