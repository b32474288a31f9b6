/** The messages between a catalogue and its worker process. */
import type { BudgetLimit, Limits } from '../limits.ts'

export type DatabaseKind = 'binder' | 'unit' | 'extensions'

/** The database that a worker process opens. */
export interface WorkerOptions {
  /** The kind of the project's engine. */
  readonly engine: string
  readonly kind: DatabaseKind
  /** The memory limit of the database itself. */
  readonly memoryBytes: number
  /** Statements that load extensions of the engine. */
  readonly load: readonly string[]
}

export interface Call {
  readonly id: number
  readonly method: string
  readonly input: readonly unknown[]
  readonly limits: Limits
}

export type Request =
  /** This is always the first message, and is sent once. */
  | { readonly open: WorkerOptions }
  | Call
  /** Cancels the running statement; it fails when the database next checks for interrupts. */
  | { readonly interrupt: true }

export type Answer =
  /** The process has started, with a database of this engine (its display name). */
  | { readonly ready: string }
  /** The library of the engine is not installed; the process ends. */
  | { readonly missing: string; readonly hint: string }
  /** `ms`: the time that the call took, without the calls before it. */
  | { readonly id: number; readonly ms: number; readonly value: unknown }
  | { readonly id: number; readonly ms: number; readonly failure: string }
  /** The process ends itself, because the running work exceeded a limit or broke the database. */
  | { readonly over: BudgetLimit | 'crash' }
