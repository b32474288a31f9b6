/** The shape of completions as plain data. Ranges are in the file, on one line, around the offset. */
import type { Range } from '../../text/range.ts'

export interface ItemList<Item> {
  readonly items: readonly Item[]
  /** True if other items may match once another letter is typed. */
  readonly isIncomplete: boolean
}

export type Completion = ItemList<CompletionItem>

export type CompletionKind =
  | 'key'
  | 'value'
  | 'asset'
  | 'source'
  | 'column'
  | 'alias'
  | 'cte'
  | 'function'
  | 'keyword'
  | 'type'
  | 'snippet'
  | 'variable'
  | 'environment'
  | 'tag'
  | 'owner'
  | 'term'

export interface CompletionItem {
  readonly label: string
  readonly kind: CompletionKind
  /** A short text beside the label: a type, or the origin. */
  readonly detail?: string
  /** The documentation in Markdown. */
  readonly documentation?: string
  /** The argument of `documentationOf`, for documentation that is made when the item is selected. */
  readonly about?: CompletionSubject
  readonly insert: string
  /** `insert` has placeholders such as `${1:…}` in LSP's syntax. */
  readonly isSnippet?: boolean
  /** The range that `insert` replaces. */
  readonly range: Range
  /** The text that is compared with the typed text; by default the label. */
  readonly filter?: string
  /** The text by which items are sorted. */
  readonly sort: string
  /** The request that the editor should make after inserting this. */
  readonly next?: 'completion' | 'signature'
}

export type CompletionSubject =
  | { readonly kind: 'asset'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'column'; readonly asset: string; readonly column: string; readonly source?: string }

export const noCompletion: Completion = { items: [], isIncomplete: false }

/** Returns a key of digits, so that items of one group keep their order. */
export function sortKey(group: string, index = 0): string {
  return `${group}${String(index).padStart(4, '0')}`
}
