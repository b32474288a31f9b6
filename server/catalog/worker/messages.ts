/** What a catalogue and the process that runs its SQL say to each other. */
import type { BudgetLimit, Limits } from '../limits.ts'

export type DatabaseKind = 'binder' | 'unit' | 'extensions'

/** Which database a process is to have. */
export interface WorkerOptions {
  /** The kind of the project's engine. */
  readonly engine: string
  readonly kind: DatabaseKind
  /** What the database itself may hold. */
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
  /** The first one, and the only one of its kind. */
  | { readonly open: WorkerOptions }
  | Call
  /** Nobody waits for what runs now: it fails as soon as the database listens. */
  | { readonly interrupt: true }

export type Answer =
  /** The process is there, with a database of this engine, as people write it. */
  | { readonly ready: string }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: string }
  /** The process ends itself, because what runs needs more than it may. */
  | { readonly over: BudgetLimit }
