export type SqlTokenKind =
  /** A keyword or an identifier without quotes. */
  | 'word'
  /** An identifier in quotes. */
  | 'quoted'
  /** A text: '…' and whatever else the engine has for one. */
  | 'string'
  | 'number'
  /** `?`, `$1` or `$name`. */
  | 'parameter'
  | 'operator'
  /** Brackets, comma, semicolon, dot, colon. */
  | 'punctuation'
  /** `{{ … }}`, where the text is a template. */
  | 'tag'
  | 'comment'

export interface SqlToken {
  readonly kind: SqlTokenKind
  readonly start: number
  readonly end: number
  /** False: the text ends before the string, comment or tag does. */
  readonly closed: boolean
}
