/**
 * The interface of Python's tools. `server/python` implements it with ruff, which this layer does not know.
 */

export interface PythonTools {
  /** Returns the code as ruff formats it, with a line break at its end; undefined if it cannot be parsed. */
  format(code: string): string | undefined
  /** Returns syntax errors and certain mistakes in text order. */
  check(code: string): readonly PythonProblem[]
}

export interface PythonProblem {
  /** The rule: `syntax`, or ruff's code in lower case: `f821`. */
  readonly rule: string
  readonly message: string
  /** The offsets in the code. */
  readonly start: number
  readonly end: number
  /** A safe fix, if ruff has one. */
  readonly fix:
    | {
        readonly title: string
        readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[]
      }
    | undefined
}
