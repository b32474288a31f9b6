/**
 * The shape of what a source delivers, and of the raw tables that it becomes. Decided in one pure place, because the
 * editor (which columns does `{{ source }}` have?) and the loader (what SELECT makes the raw table?) must agree.
 */

/** The type of a value as delivered. `unknown`: never seen (only NULLs). */
export type SourceType =
  | { readonly kind: 'scalar'; readonly type: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'mixed' }
  | { readonly kind: 'struct'; readonly fields: readonly SourceField[] }
  | { readonly kind: 'list'; readonly element: SourceType }

export interface SourceField {
  readonly name: string
  readonly type: SourceType
}

/** A column of a raw table. `type` undefined: unknown until the source was loaded once. */
export interface RawColumn {
  readonly name: string
  readonly type: string | undefined
  /**
   * Way to the value in the record, in source names, with `[]` where it leads into the elements of a list. Empty for
   * `_svc_id` and `_svc_parent_id`; of `_svc_idx` it is the way to the elements that its table holds.
   */
  readonly path: readonly string[]
  /** `_svc_id`, `_svc_parent_id`, `_svc_idx`: only where a source has child tables. */
  readonly system: boolean
  readonly pii: boolean
  readonly nullable: boolean
  /** The last load did not bring it: it is there because it was promised, or loaded before. */
  readonly absent?: boolean
}

export interface RawTable {
  /** Undefined: the table of `{{ source }}`; else the name in `{{ source('child') }}`. */
  readonly child: string | undefined
  readonly columns: readonly RawColumn[]
  /** False: the source may hold more columns than these, so any name is accepted. */
  readonly complete: boolean
}

/** What is known of each source asset's raw tables, by asset name. Absent: nothing is known. */
export type SourceShapes = ReadonlyMap<string, readonly RawTable[]>
