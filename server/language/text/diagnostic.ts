import type { Range } from './range.ts'

export type Severity = 'error' | 'warning' | 'information' | 'hint'

export interface TextEdit {
  readonly path: string
  readonly range: Range
  readonly newText: string
}

/** A change that fixes a diagnostic; the editor offers it as a quick fix. */
export interface Fix {
  readonly title: string
  readonly edits: readonly TextEdit[]
}

/**
 * A problem in the user's files. Diagnostics are values: functions return them and never throw them.
 * `message` describes the problem in one clause without a full stop; `hint` tells what to do, with the
 * nearest valid names ("did you mean "delay"?"). `code` is in kebab case and names the check.
 */
export interface Diagnostic {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly hint?: string
  /** The path of the file, relative to the project's root, with forward slashes. */
  readonly path: string
  readonly range: Range
  /** The nearest valid names, best first, as in `hint`. */
  readonly suggestions?: readonly string[]
  readonly related?: readonly { readonly path: string; readonly range: Range; readonly message: string }[]
  readonly fixes?: readonly Fix[]
  /** What the message tells in words, as values: no code reads the message. */
  readonly facts?: Facts
}

/** Named values of a problem, for the programs that answer it. */
export type Facts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>
