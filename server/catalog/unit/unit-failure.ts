/** The failure of a statement of a unit test. */
import type { BindError } from '../bind-error.ts'
import type { BudgetLimit } from '../limits.ts'

export type UnitFailure = BindError & {
  /** Why it was stopped: it exceeded a limit, the caller cancelled, or the system ended its process. */
  readonly stopped: BudgetLimit | 'aborted' | 'ended' | undefined
  /** Set if the statements before this one failed. */
  readonly isBefore?: true
}

export function isFailure<T>(result: T | UnitFailure): result is UnitFailure {
  return typeof result === 'object' && result !== null && 'kind' in result && 'stopped' in result
}

/** Returns whether the failure says nothing about the test: the caller cancelled, or the database is lost. */
export function isEnd({ kind, stopped }: UnitFailure): boolean {
  return kind === 'fatal' || stopped !== undefined
}

/**
 * What the test database says for SQL that asks for the time when the test does not set it. An engine hands on nothing of an
 * error but its text, so this is a code, and no sentence.
 */
export const timeProblem = 'SVC_TIME_NOT_SET'

export function isTimeProblem({ message }: UnitFailure): boolean {
  return message.includes(timeProblem)
}
