/**
 * Remembers, for the life of a catalogue, the SQL that went over its limits, so that it is not tried again at
 * every keystroke, and makes the database usable again after such a statement.
 */
import { createHash } from 'node:crypto'
import type { Engine } from '../language/index.ts'
import type { SqlLimits } from '../language/project/project.ts'
import { BinderLost } from './limits.ts'
import type { Statement } from './statement.ts'
import type { Loss } from './too-expensive.ts'

export interface Guard {
  /** The engine and the limits, for the messages about lost statements. */
  readonly engine: Engine
  readonly limits: SqlLimits
  /** False if no statement was lost, in which case there is no need to ask `lossOf`. */
  readonly hasLosses: boolean
  /** Returns how this statement failed before, with the same columns of its inputs. */
  lossOf(statement: Statement): Loss | undefined
  remember(statement: Statement, loss: Loss): void
  /** Notes that something could not be checked because the process was ended: it is tried again with the next change. */
  noteEnded(): void
  /** Makes the database usable after `BinderLost`. */
  recover(): void
}

/** Losses by the hash of their statement. */
export type LossMemory = Map<string, Loss>

export interface GuardOptions extends Pick<Guard, 'recover' | 'noteEnded'> {
  readonly losses: LossMemory
}

export function newGuard(
  { engine, limits }: Pick<Guard, 'engine' | 'limits'>,
  { losses, noteEnded, recover }: GuardOptions,
): Guard {
  return {
    engine,
    limits,
    get hasLosses() {
      return losses.size > 0
    },
    lossOf: statement => (losses.size === 0 ? undefined : losses.get(keyOf(statement))),
    remember(statement, loss) {
      if (loss === 'ended') noteEnded()
      else losses.set(keyOf(statement), loss)
    },
    noteEnded,
    recover,
  }
}

/** Returns a hash of the SQL and its inputs: the same SQL over fewer columns may stay within the limits. */
function keyOf({ sql, inputs }: Statement): string {
  const read = Array.from(inputs, ([key, { shape }]) => [key, shape.columns, shape.complete])
  return createHash('sha256')
    .update(JSON.stringify([sql, read]))
    .digest('base64')
}

/** Returns the result of the work, or how it lost the database, which is made usable again. */
export async function attempt<T>(
  guard: Guard,
  work: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly loss: Loss }> {
  try {
    return { value: await work() }
  } catch (error) {
    if (!(error instanceof BinderLost)) throw error
    guard.recover()
    return { loss: error.reason }
  }
}

/** How often work is tried that loses its process by nobody's fault. */
export const mostTries = 3

/** Tries again with a new process where the system ended the one before. */
export async function attemptAgain<T>(guard: Guard, work: () => Promise<T>): ReturnType<typeof attempt<T>> {
  let found = await attempt(guard, work)
  for (let tries = 1; tries < mostTries && 'loss' in found && found.loss === 'ended'; tries++) {
    found = await attempt(guard, work)
  }
  return found
}

/** Works on statements together. If one of them loses the database, on each alone, which finds the one. */
export async function togetherOrAlone<T extends { readonly statement: Statement }, Result>(
  guard: Guard,
  items: readonly T[],
  work: (items: readonly T[]) => Promise<readonly Result[]>,
  lost: (item: T, loss: Loss) => Result,
): Promise<readonly Result[]> {
  if (!items.some(({ statement }) => guard.lossOf(statement) !== undefined)) {
    const all = await attempt(guard, () => work(items))
    if ('value' in all) return all.value
  }
  const found: Result[] = []
  for (const item of items) {
    const known = guard.lossOf(item.statement)
    const one = known === undefined ? await attemptAgain(guard, () => work([item])) : { loss: known }
    if ('value' in one) {
      found.push(...one.value)
      continue
    }
    guard.remember(item.statement, one.loss)
    found.push(lost(item, one.loss))
  }
  return found
}
