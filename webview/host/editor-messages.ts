/**
 * What the page and the extension say to each other. A page is untrusted: it may read the dashboard's data, name an asset
 * and a mode, and nothing else; the extension checks every message.
 */
import type { RunMode } from '../protocol.ts'

/** `id`: made by the page; the answers carry it. */
export type FromPage =
  /** A `GET` of the dashboard's API, relative: `api/catalog.json`. */
  | { readonly type: 'ask'; readonly id: number; readonly path: string; readonly lastEventId?: string }
  /** Nobody waits for that answer any more. */
  | { readonly type: 'drop'; readonly id: number }
  /** In a terminal of the editor. Answered by `done` when the command has ended. */
  | { readonly type: 'run'; readonly id: number; readonly asset: string; readonly mode: RunMode }
  /** No names: all. */
  | { readonly type: 'rollback'; readonly id: number; readonly names: readonly string[] }
  | { readonly type: 'cancel'; readonly id: number; readonly runId: string }
  | { readonly type: 'open'; readonly path: string; readonly line: number }

export type ToPage =
  | { readonly type: 'head'; readonly id: number; readonly status: number }
  | { readonly type: 'piece'; readonly id: number; readonly text: string }
  | { readonly type: 'end'; readonly id: number }
  /** There is no answer, or it broke off. */
  | { readonly type: 'failed'; readonly id: number; readonly message: string; readonly hint?: string }
  /** `code`: of the command; null: it was not begun, or has no exit code. */
  | { readonly type: 'done'; readonly id: number; readonly code: number | null }
  | { readonly type: 'reveal'; readonly asset: string }
  | { readonly type: 'search' }
