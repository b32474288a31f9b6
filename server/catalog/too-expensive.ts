/** SQL that takes more than it may while it is checked: who it is, which limit it passed, and what to do. */
import type { Asset, Diagnostic } from '../language/index.ts'
import type { Range } from '../language/text/range.ts'
import type { BinderLost, BudgetLimit, Limits } from './limits.ts'

export const expensiveCode = 'sql-too-expensive'

/** How a statement lost the database. */
export type Loss = BinderLost['reason']

const crashMessage = 'DuckDB fails on this SQL'

export function lossDiagnostic({ path }: Asset, range: Range, loss: Loss, limits: Limits): Diagnostic {
  if (loss === 'crash') {
    const hint = 'It is an error inside DuckDB; write the statement in another way.'
    return { code: 'sql-other', severity: 'error', message: crashMessage, hint, path, range }
  }
  const message = `to check this SQL ${passedLimit(loss, limits)}`
  const hint = `Nesting, or values that are worked out from constants alone, can do that. ${raiseLimit(loss)}`
  return { code: expensiveCode, severity: 'error', message, hint, path, range }
}

/** Whether a problem says that the SQL could not be looked at to its end: another day it may. */
export function isLossDiagnostic({ code, message }: Diagnostic): boolean {
  return code === expensiveCode || message === crashMessage
}

/** With a subject in front. */
export function passedLimit(limit: BudgetLimit, { timeMs, memoryBytes }: Limits): string {
  if (limit === 'time') return `took more than ${timeMs / 1000} s`
  return `took more than ${Math.round(memoryBytes / 1e6)} MB of memory`
}

export function raiseLimit(limit: BudgetLimit): string {
  return `What it may take is limits.sql.${limit} in svc.yaml.`
}
