import type { Range } from './range.ts'

export type Severity = 'error' | 'warning' | 'information' | 'hint'

export interface TextEdit {
  readonly path: string
  readonly range: Range
  readonly newText: string
}

/** A change that mends a diagnostic; offered by the editor as a quick fix. */
export interface Fix {
  readonly title: string
  readonly edits: readonly TextEdit[]
}

/**
 * A problem in the user's files. Diagnostics are values: functions of the language return them and never throw.
 *
 * `message` says what is wrong in one clause without a full stop; `hint` says what to do, with the nearest right
 * names ("did you mean "delay"?"). `code` is kebab-case and names the check that found it.
 */
export interface Diagnostic {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly hint?: string
  /** Path of the file, relative to the project's root, with forward slashes. */
  readonly path: string
  readonly range: Range
  /** The nearest right names, best first; what `hint` offers. */
  readonly suggestions?: readonly string[]
  readonly related?: readonly { readonly path: string; readonly range: Range; readonly message: string }[]
  readonly fixes?: readonly Fix[]
}
