/**
 * Remembers for the life of a catalogue which SQL went over its limits, so that it is not tried at every keystroke, and
 * makes the database usable again after it.
 */
import { createHash } from 'node:crypto'
import type { Engine } from '../language/index.ts'
import type { Limits } from './limits.ts'
import type { Statement } from './statement.ts'
import type { Loss } from './too-expensive.ts'

export interface Guard {
  /** What SQL is lost to. */
  readonly engine: Engine
  readonly limits: Limits
  /** Where there are none nobody needs to look. */
  readonly hasLosses: boolean
  /** What came of this statement when it was tried, if it has read the same columns. */
  lossOf(statement: Statement): Loss | undefined
  remember(statement: Statement, loss: Loss): void
  /** After `BinderLost`. */
  recover(): void
}

/** By a hash of the statement. */
export type LossMemory = Map<string, Loss>

export function newGuard(
  { engine, limits }: Pick<Guard, 'engine' | 'limits'>,
  losses: LossMemory,
  recover: () => void,
): Guard {
  return {
    engine,
    limits,
    get hasLosses() {
      return losses.size > 0
    },
    lossOf: statement => (losses.size === 0 ? undefined : losses.get(keyOf(statement))),
    remember: (statement, loss) => void losses.set(keyOf(statement), loss),
    recover,
  }
}

/** The SQL and what it reads: the same SQL over fewer columns may do. */
function keyOf({ sql, inputs }: Statement): string {
  const read = Array.from(inputs, ([key, { shape }]) => [key, shape.columns, shape.complete])
  return createHash('sha256')
    .update(JSON.stringify([sql, read]))
    .digest('base64')
}
