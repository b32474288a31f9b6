export type SqlTokenKind =
  /** A keyword or an unquoted identifier. */
  | 'word'
  /** A quoted identifier. */
  | 'quoted'
  /** A string literal: '…' and the engine's other forms. */
  | 'string'
  | 'number'
  /** A parameter: `?`, `$1` or `$name`. */
  | 'parameter'
  | 'operator'
  /** Brackets, comma, semicolon, dot, colon. */
  | 'punctuation'
  /** A template tag: `{{ … }}`. */
  | 'tag'
  | 'comment'

export interface SqlToken {
  readonly kind: SqlTokenKind
  readonly start: number
  readonly end: number
  /** False if the text ends inside the string, comment or tag. */
  readonly closed: boolean
}
