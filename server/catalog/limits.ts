import type { SqlLimits } from '../language/project/project.ts'

export type Limits = SqlLimits

/** Of databases that no project is asked about. */
export const defaultLimits: Limits = { timeMs: 2000, memoryBytes: 512_000_000 }

export function sameLimits(a: Limits, b: Limits): boolean {
  return a.timeMs === b.timeMs && a.memoryBytes === b.memoryBytes
}

/** Which limit a statement went over. */
export type BudgetLimit = 'time' | 'memory'

/**
 * Raised when the database of the catalogue is gone: a statement went over a limit, or DuckDB failed. All that it held
 * is to be made again.
 */
export class BinderLost extends Error {
  readonly reason: BudgetLimit | 'crash'

  constructor(reason: BudgetLimit | 'crash', message?: string) {
    super(message ?? `the database is lost (${reason})`)
    this.reason = reason
  }
}
