/**
 * The messages between page and extension. A page is untrusted: it may read the dashboard's data and name an
 * asset and a mode, and nothing else; the extension checks every message.
 */
import type { RunMode } from '../protocol.ts'

/** `id` is chosen by the page and repeated in the answers. */
export type FromPage =
  /** A `GET` to the dashboard's API with a relative path: `api/catalog.json`. */
  | { readonly type: 'ask'; readonly id: number; readonly path: string; readonly lastEventId?: string }
  /** The answer is no longer needed. */
  | { readonly type: 'drop'; readonly id: number }
  /** Runs in a terminal of the editor. `done` is the answer when the command has ended. */
  | { readonly type: 'run'; readonly id: number; readonly asset: string; readonly mode: RunMode }
  /** An empty list means all assets. */
  | { readonly type: 'rollback'; readonly id: number; readonly names: readonly string[] }
  | { readonly type: 'cancel'; readonly id: number; readonly runId: string }
  | { readonly type: 'open'; readonly path: string; readonly line: number }

export type ToPage =
  | { readonly type: 'head'; readonly id: number; readonly status: number }
  | { readonly type: 'piece'; readonly id: number; readonly text: string }
  | { readonly type: 'end'; readonly id: number }
  /** There is no answer, or it was interrupted. */
  | { readonly type: 'failed'; readonly id: number; readonly message: string; readonly hint?: string }
  /** `code` is the exit code; null if the command was not started, or has none. */
  | { readonly type: 'done'; readonly id: number; readonly code: number | null }
  | { readonly type: 'reveal'; readonly asset: string }
  | { readonly type: 'search' }
