/** The messages between the results grid and the extension: complete snapshots, never deltas. */

export interface GridColumn {
  readonly name: string
  readonly type: string
}

export interface GridRows {
  readonly columns: readonly GridColumn[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

export type GridState =
  | { readonly kind: 'loading'; readonly title: string }
  | {
      readonly kind: 'rows'
      readonly title: string
      /** The environment and what was read, such as `view of dev`. */
      readonly subtitle: string
      readonly limit: number
      readonly seconds: number
      readonly table: GridRows
    }
  | {
      readonly kind: 'refused'
      readonly title: string
      readonly message: string
      readonly hint?: string
      /** A place in a file, to be opened by a click. */
      readonly place?: string
    }

export type ToGrid = { readonly type: 'state'; readonly state: GridState }

export type FromGrid =
  | { readonly type: 'ready' }
  | { readonly type: 'refresh'; readonly limit: number }
  | { readonly type: 'cancel' }
  | { readonly type: 'open'; readonly place: string }
  | { readonly type: 'export'; readonly format: ExportFormat; readonly table: GridRows }
  | { readonly type: 'copy'; readonly text: string }

export type ExportFormat = 'csv' | 'json'
