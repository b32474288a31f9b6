/**
 * An engine's error about a statement, as data. Only the code that calls an engine reads the text of its
 * messages.
 */
export interface BindError {
  readonly kind: BindErrorKind
  readonly message: string
  /** The place of the error: a UTF-8 byte offset in the statement that was run. */
  readonly position: number | undefined
  readonly subtype: string | undefined
  /** For a catalog error, the kind of object that is missing: `Table`, `Scalar Function`, `Type`… */
  readonly missing: string | undefined
  readonly name: string | undefined
  /** The call that matches no function, with the types of its arguments. */
  readonly call: string | undefined
  readonly candidates: string | undefined
}

export type BindErrorKind =
  /** The text does not parse. */
  | 'syntax'
  /**
   * Expressions are nested deeper than the engine allows. Its message advises a setting that users cannot
   * change here.
   */
  | 'too-deep'
  | 'catalog'
  | 'binder'
  | 'conversion'
  | 'permission'
  /** The database is lost and must be opened again. */
  | 'fatal'
  /** The database ran out of memory. */
  | 'memory'
  | 'other'

/** Makes an error of which only the message and the place are known. */
export function bindError(kind: BindErrorKind, message: string, position?: number): BindError {
  const unknown = { subtype: undefined, missing: undefined, name: undefined, call: undefined }
  return { kind, message, position, ...unknown, candidates: undefined }
}
