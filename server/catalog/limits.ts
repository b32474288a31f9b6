import type { SqlLimits } from '../language/project/project.ts'
import type { BindError } from './bind-error.ts'

/** What a statement may take in its process. */
export type Limits = Pick<SqlLimits, 'timeMs' | 'memoryBytes'>

/** The limits of databases that belong to no project. */
export const defaultLimits: SqlLimits = {
  timeMs: 2000,
  memoryBytes: 512_000_000,
  characters: 500_000,
  tests: 4000,
}

export function sameLimits(a: SqlLimits, b: SqlLimits): boolean {
  const [first, second] = [sizesOf(a), sizesOf(b)]
  return first.every((size, index) => size === second[index])
}

function sizesOf({ timeMs, memoryBytes, characters, tests }: SqlLimits): readonly number[] {
  return [timeMs, memoryBytes, characters, tests]
}

/** The limit that a statement exceeded. */
export type BudgetLimit = 'time' | 'memory'

/** `crash`: the engine failed. `ended`: the system or somebody ended the process, which no statement is to blame for. */
export type LossReason = BudgetLimit | 'crash' | 'ended'

/**
 * Thrown when the catalogue's database is gone: a statement exceeded a limit, the engine failed, or its process was ended. All its
 * tables have to be created again.
 */
export class BinderLost extends Error {
  readonly reason: LossReason

  constructor(reason: LossReason, message?: string) {
    super(message ?? `the database is lost (${reason})`)
    this.reason = reason
  }
}

/** Throws if the database cannot be used any more: after an error inside the engine, or when memory has run out. */
export function throwIfLost({ kind, message }: BindError): void {
  if (kind === 'fatal') throw new BinderLost('crash', message)
  if (kind === 'memory') throw new BinderLost('memory', message)
}
