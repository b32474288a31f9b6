/**
 * The interface of a kind of source in the language: one object in one file. `cli/engine/ingest` fetches its
 * data, `server/language/source` derives its tables.
 */
import type { Ingest, JsonValue } from '../schema/definition.ts'
import type { Variant } from '../schema/shape.ts'

/** The `ingest` of an asset that has a source. */
export type SourceIngest = Exclude<Ingest, { readonly type: 'none' }>

export interface SourceKind<Of extends SourceIngest> {
  /** Its name, its documentation and its keys in the file. */
  readonly variant: Variant
  /** The description that follows "from" in a sentence. */
  readonly inWords: string
  /** Returns the part that affects data, destructured key by key. */
  identity(ingest: Of): JsonValue
  /** Returns the valid `options`, each with its rule. */
  options?(ingest: Of): readonly { readonly name: string; readonly must: string }[]
  /** A new asset's `ingest` block, with placeholders from the third on. */
  readonly skeleton: {
    readonly label: string
    readonly detail: string
    ingest(name: string): readonly string[]
  }
}
