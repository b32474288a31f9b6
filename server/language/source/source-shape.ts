/**
 * The shape of a source, and of the raw tables that are derived from it. It is decided in one pure place,
 * because the editor (the columns of `{{ source }}`) and the loader (the SELECT for the raw table) must
 * agree.
 */

import type { MaskKind } from './masks.ts'

/** The type of a value as delivered. `unknown` means only NULLs were seen. */
export type SourceType =
  /** `loose`: a few values are not of the type. `inexact`: some are numbers that a DOUBLE rounds. */
  | { readonly kind: 'scalar'; readonly type: string; readonly loose?: true; readonly inexact?: true }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'mixed' }
  | { readonly kind: 'struct'; readonly fields: readonly SourceField[] }
  | { readonly kind: 'list'; readonly element: SourceType }

export interface SourceField {
  readonly name: string
  readonly type: SourceType
}

/** A column of a raw table. `type` is undefined until the source was loaded once. */
export interface RawColumn {
  readonly name: string
  readonly type: string | undefined
  /**
   * The path to the value in the record, in source names, with `[]` for the elements of a list. Empty for
   * `_svc_id` and `_svc_parent_id`; for `_svc_idx` the path to the elements of its table.
   */
  readonly path: readonly string[]
  /** True for `_svc_id`, `_svc_parent_id` and `_svc_idx`, which exist only if a source has child tables. */
  readonly system: boolean
  readonly pii: boolean
  readonly nullable: boolean
  /** How the values of the column are hidden; absent if they are not. */
  readonly masked?: MaskKind
  /** In a load: what the key of the hash is known by. */
  readonly maskKey?: string
  /** The last load had no such column: it is in the contract, or in an earlier load. */
  readonly absent?: boolean
  /** When a load was the first without the column, as ISO time; only of a column that an earlier load had. */
  readonly absentSince?: string
  /** In a load of JSON: the share of the records that have the key; absent where all have it. */
  readonly presence?: number
}

export interface RawTable {
  /** Undefined for the table of `{{ source }}`, otherwise the name in `{{ source('child') }}`. */
  readonly child: string | undefined
  readonly columns: readonly RawColumn[]
  /** False if the source may have more columns than these, so that any name is accepted. */
  readonly complete: boolean
}

/** The known raw tables of each source asset, by asset name. Absent if nothing is known. */
export type SourceShapes = ReadonlyMap<string, readonly RawTable[]>
