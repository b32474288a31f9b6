/**
 * What `svc` and the editor that started it say to each other over the channel between their processes: a question that the
 * editor's own language model answers, and a change that a person is shown. Both come in one package, so nothing here has
 * a version.
 */

/** The variable that tells `svc` to use the channel. Its value is the name of the model that answers; empty: the configured one. */
export const editorLinkVariable = 'SVC_EDITOR_MODEL'

export interface EditorQuestion {
  readonly kind: 'question'
  readonly id: number
  readonly system: string
  readonly turns: readonly { readonly from: 'user' | 'model'; readonly text: string }[]
}

export interface EditorProposal {
  readonly kind: 'proposal'
  readonly id: number
  /** What changes and why; empty for a patch that nobody described. */
  readonly summary: string
  readonly files: readonly {
    /** Relative to the root of the project. */
    readonly path: string
    /** Null for a new file. */
    readonly before: string | null
    readonly after: string
  }[]
  /** The checks that would be removed or weaker, in words: a yes to the change alone does not count for them. */
  readonly weakened: readonly string[]
}

/** Nobody waits for that answer any more. */
export interface EditorStop {
  readonly kind: 'stop'
  readonly id: number
}

export type ToEditor = EditorQuestion | EditorProposal | EditorStop

export type FromEditor =
  /** A part of the answer; an empty one says that the model, or who has to allow it, is still at work. */
  | { readonly kind: 'piece'; readonly id: number; readonly text: string }
  | { readonly kind: 'answer'; readonly id: number }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string; readonly hint: string }
  | { readonly kind: 'decision'; readonly id: number; readonly agreed: boolean }
