/** What went wrong with a statement of a unit test. */
import type { BindError } from '../bind-error.ts'
import type { BudgetLimit } from '../limits.ts'

export type UnitFailure = BindError & {
  /** It was stopped: it went over a limit, or nobody wants to know any more. */
  readonly stopped: BudgetLimit | 'aborted' | undefined
  /** What was to be run before the statement went wrong. */
  readonly isBefore?: true
}

export function isFailure<T>(result: T | UnitFailure): result is UnitFailure {
  return typeof result === 'object' && result !== null && 'kind' in result && 'stopped' in result
}

/** It says nothing of what was asked: nobody wants to know any more, or the database is gone. */
export function isEnd({ kind, stopped }: UnitFailure): boolean {
  return kind === 'fatal' || stopped !== undefined
}

/** What the database of unit tests says where the SQL asks for the time, and the test does not say which. */
export const timeProblem = 'svc: the SQL asks for the time'

export function isTimeProblem({ message }: UnitFailure): boolean {
  return message.includes(timeProblem)
}
