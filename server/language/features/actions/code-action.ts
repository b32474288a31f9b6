/** What a code action is: edits under a title, and the problem that they mend. */
import type { NewFile } from '../../checks/fix.ts'
import type { Diagnostic, TextEdit } from '../../text/diagnostic.ts'

export type ActionKind = 'quickfix' | 'refactor.extract' | 'refactor.rewrite' | 'source.fixAll'

export interface CodeAction {
  readonly title: string
  readonly kind: ActionKind
  readonly edits: readonly TextEdit[]
  /** Files that are made, with their text. */
  readonly creates: readonly NewFile[]
  readonly diagnostic?: Diagnostic
  /** The one that is most likely meant. */
  readonly preferred: boolean
}
