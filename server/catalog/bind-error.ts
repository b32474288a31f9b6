/** What an engine says against a statement. Made where the engine is asked, which alone reads its texts. */
export interface BindError {
  readonly kind: BindErrorKind
  readonly message: string
  /** UTF-8 byte offset in the statement that was run. */
  readonly position: number | undefined
  readonly subtype: string | undefined
  /** What a catalog error did not find: `Table`, `Scalar Function`, `Type`… */
  readonly missing: string | undefined
  readonly name: string | undefined
  /** The call that no function fits, with the types of its arguments. */
  readonly call: string | undefined
  readonly candidates: string | undefined
}

export type BindErrorKind =
  /** The text is no SQL. */
  | 'syntax'
  /** Expressions are nested deeper than the engine follows; its advice, a setting, is of no use here. */
  | 'too-deep'
  | 'catalog'
  | 'binder'
  | 'conversion'
  | 'permission'
  /** The database is lost. */
  | 'fatal'
  /** There is none left. */
  | 'memory'
  | 'other'

/** An error of which no more is known than what it says, and where. */
export function bindError(kind: BindErrorKind, message: string, position?: number): BindError {
  const unknown = { subtype: undefined, missing: undefined, name: undefined, call: undefined }
  return { kind, message, position, ...unknown, candidates: undefined }
}
