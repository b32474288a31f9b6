/** What may be written at a place of a file, as plain data. Ranges are in the file, on one line, around the offset. */
import type { Range } from '../../text/range.ts'

export interface Completion {
  readonly items: readonly CompletionItem[]
  /** True: with another letter there may be items that are not listed here. */
  readonly isIncomplete: boolean
}

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
  /** In a few words beside the label: a type, where it comes from. */
  readonly detail?: string
  /** Markdown. */
  readonly documentation?: string
  /** What `documentationOf` is asked with where the documentation is made when somebody looks at it. */
  readonly about?: CompletionSubject
  readonly insert: string
  /** `insert` holds places to fill in, `${1:…}`, as LSP writes them. */
  readonly isSnippet?: boolean
  /** What `insert` takes the place of. */
  readonly range: Range
  /** What is compared with the text in the range up to the cursor; the label when absent. */
  readonly filter?: string
  /** Items come in the order of these texts. */
  readonly sort: string
  /** What the editor should ask for next, once this is inserted. */
  readonly next?: 'completion' | 'signature'
}

export type CompletionSubject =
  | { readonly kind: 'asset'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'column'; readonly asset: string; readonly column: string; readonly source?: string }

export const noCompletion: Completion = { items: [], isIncomplete: false }

/** Digits, so that items of one group keep their order. */
export function sortKey(group: string, index = 0): string {
  return `${group}${String(index).padStart(4, '0')}`
}
