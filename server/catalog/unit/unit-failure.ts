/** What went wrong with a statement of a unit test. */
import type { BindError } from '../bind-error.ts'
import type { BudgetLimit } from '../limits.ts'
import { timeProblem } from './frozen-functions.ts'

export type UnitFailure = BindError & {
  /** It was stopped: it went over a limit, or nobody wants to know any more. */
  readonly stopped: BudgetLimit | 'aborted' | undefined
}

export function isFailure<T>(result: T | UnitFailure): result is UnitFailure {
  return typeof result === 'object' && result !== null && 'kind' in result && 'stopped' in result
}

/** It says nothing of what was asked: nobody wants to know any more, or the database is gone. */
export function isEnd({ kind, stopped }: UnitFailure): boolean {
  return kind === 'fatal' || stopped !== undefined
}

export function isTimeProblem({ message }: UnitFailure): boolean {
  return message.includes(timeProblem)
}
