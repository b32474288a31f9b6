import type { SqlLimits } from '../language/project/project.ts'
import type { BindError } from './bind-error.ts'

export type Limits = SqlLimits

/** The limits of databases that belong to no project. */
export const defaultLimits: Limits = { timeMs: 2000, memoryBytes: 512_000_000 }

export function sameLimits(a: Limits, b: Limits): boolean {
  return a.timeMs === b.timeMs && a.memoryBytes === b.memoryBytes
}

/** The limit that a statement exceeded. */
export type BudgetLimit = 'time' | 'memory'

/**
 * Thrown when the catalogue's database is gone: a statement exceeded a limit, or DuckDB failed. All its
 * tables have to be created again.
 */
export class BinderLost extends Error {
  readonly reason: BudgetLimit | 'crash'

  constructor(reason: BudgetLimit | 'crash', message?: string) {
    super(message ?? `the database is lost (${reason})`)
    this.reason = reason
  }
}

/** Throws if the database cannot be used any more: after an error inside the engine, or when memory has run out. */
export function throwIfLost({ kind, message }: BindError): void {
  if (kind === 'fatal') throw new BinderLost('crash', message)
  if (kind === 'memory') throw new BinderLost('memory', message)
}
