/**
 * SQL with template tags as coloured pieces, for reading only: it never fails, and the pieces together are the text. The
 * language proper lives in `server/language`; loading it would double the page.
 */
export type SqlTokenKind =
  | 'keyword'
  | 'function'
  | 'string'
  | 'number'
  | 'comment'
  | 'template'
  | 'name'
  | 'plain'
export interface SqlToken {
  readonly kind: SqlTokenKind
  readonly text: string
}
export declare function sqlTokens(text: string): readonly SqlToken[]
