/**
 * An engine's error about a statement, as data. Only the code that calls an engine reads the text of its
 * messages.
 */
export interface BindError {
  readonly kind: BindErrorKind
  readonly message: string
  /** The place of the error: a UTF-8 byte offset in the statement that was run. */
  readonly position: number | undefined
  readonly subtype: BindErrorSubtype | undefined
  /** For a catalog error, the kind of object that is missing: `Table`, `Scalar Function`, `Type`… */
  readonly missing: string | undefined
  readonly name: string | undefined
  /** The call that matches no function, with the types of its arguments. */
  readonly call: string | undefined
  /** What could be meant: names, or ways to call a function, a line each. */
  readonly candidates: string | undefined
  /** What the engine advises, in its own words. */
  readonly hint: string | undefined
}

export type BindErrorSubtype =
  | 'unknown-column'
  /** A column is neither grouped nor aggregated. */
  | 'ungrouped-column'
  /** A call stands where it may not, such as an aggregate in WHERE. */
  | 'misplaced-call'
  /** The place is the beginning of an expression whose type does not fit. */
  | 'type-mismatch'
  /** Several functions or operators could be meant. */
  | 'ambiguous-call'
  /** It is about a value of unknown type, and with its real type it may be none. */
  | 'unknown-value'
  | 'other'

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
  return { kind, message, position, ...unknown, candidates: undefined, hint: undefined }
}
