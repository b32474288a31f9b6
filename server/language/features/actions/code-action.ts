/** The shape of a code action: edits with a title, and the problem that they fix. */
import type { NewFile } from '../../checks/fix.ts'
import type { Diagnostic, TextEdit } from '../../text/diagnostic.ts'

export type ActionKind = 'quickfix' | 'refactor.extract' | 'refactor.rewrite' | 'source.fixAll'

export interface CodeAction {
  readonly title: string
  readonly kind: ActionKind
  readonly edits: readonly TextEdit[]
  /** Files to create, with their text. */
  readonly creates: readonly NewFile[]
  readonly diagnostic?: Diagnostic
  /** True for a correction of one slip of the keyboard: "Fix all" takes these, and no others. */
  readonly preferred: boolean
}

/** Makes an action that changes existing files and fixes no problem. */
export function plainAction(title: string, kind: ActionKind, edits: readonly TextEdit[]): CodeAction {
  return { title, kind, edits, creates: [], preferred: false }
}
