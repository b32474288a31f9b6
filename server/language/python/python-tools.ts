/** What the language asks of Python's own tools. `server/python` answers with ruff; here nobody knows of it. */

export interface PythonTools {
  /** As ruff's formatter writes it, with a line break at its end; undefined where the code cannot be parsed. */
  format(code: string): string | undefined
  /** Syntax errors and what is wrong in any program, in text order. */
  check(code: string): readonly PythonProblem[]
}

export interface PythonProblem {
  /** `syntax`, or ruff's rule in lower case: `f821`. */
  readonly rule: string
  readonly message: string
  /** Offsets in the code. */
  readonly start: number
  readonly end: number
  /** A safe mend, where ruff has one. */
  readonly fix:
    | {
        readonly title: string
        readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[]
      }
    | undefined
}
