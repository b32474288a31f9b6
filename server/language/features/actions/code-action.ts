/** What a code action is: edits under a title, and the problem that they mend. */
import type { Diagnostic, TextEdit } from '../../text/diagnostic.ts'
import type { Range } from '../../text/range.ts'
import type { Knowledge } from '../knowledge.ts'

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

export interface NewFile {
  readonly path: string
  readonly text: string
}

/** What an action is made of where its kind and problem are known. */
export interface Remedy {
  readonly title: string
  readonly edits: readonly TextEdit[]
  readonly creates?: readonly NewFile[]
}

export interface Problem {
  readonly knowledge: Knowledge
  readonly path: string
  readonly text: string
  readonly diagnostic: Diagnostic
}

/** `edit` undefined: nothing can be offered. */
export function remedy(
  title: string,
  path: string,
  edit: { readonly range: Range; readonly newText: string } | undefined,
): readonly Remedy[] {
  return edit === undefined ? [] : [{ title, edits: [{ path, ...edit }] }]
}
