/** Diagnostics for SQL that exceeds a limit while it is checked: the statement, the limit, and the remedy. */
import { engines } from '../language/engines/index.ts'
import type { Asset, Diagnostic, Engine } from '../language/index.ts'
import type { Range } from '../language/text/range.ts'
import type { Guard } from './guard.ts'
import type { BudgetLimit, Limits, LossReason } from './limits.ts'

export const expensiveCode = 'sql-too-expensive'
export const tooLargeCode = 'sql-too-large'

/** The reason why a statement lost the database. */
export type Loss = LossReason

export function lossDiagnostic(
  { path }: Asset,
  range: Range,
  loss: Loss,
  { engine, limits }: Pick<Guard, 'engine' | 'limits'>,
  /** How large the expression at the range is. */
  parts?: number,
): Diagnostic {
  if (loss === 'ended') return endedDiagnostic({ path, range })
  if (loss === 'crash') {
    const hint = `It is an error inside ${engine.label}; write the statement in another way.`
    return { code: 'sql-other', severity: 'error', message: crashMessage(engine), hint, path, range }
  }
  const what = parts === undefined ? 'this SQL' : `this SQL, with an expression of ${parts} parts,`
  const message = `to check ${what} ${passedLimit(loss, limits)}`
  const cause =
    parts === undefined
      ? 'Nesting, or values that are worked out from constants alone, can do that.'
      : `${engine.label} plans it, here and in a run, in time that grows faster than it: work out parts of it in WITH, or join a table of its values.`
  const hint = `${cause} ${raiseLimit(loss)}`
  return { code: expensiveCode, severity: 'error', message, hint, path, range }
}

/** Says that nothing is known of this SQL. */
export function endedDiagnostic(place: Pick<Diagnostic, 'path' | 'range'>): Diagnostic {
  return {
    code: 'sql-other',
    severity: 'error',
    message: 'this SQL is not checked: the system ended the process that checks it, again and again',
    hint: 'The machine may be short of memory: end other programs. The next change, or svc validate, checks it again.',
    facts: { unchecked: true },
    ...place,
  }
}

export function isUnchecked({ facts }: Diagnostic): boolean {
  return facts?.['unchecked'] === true
}

/**
 * Returns whether the diagnostic says that the SQL could not be checked completely. Another attempt may
 * succeed, with other limits if no sooner.
 */
export function isLossDiagnostic(diagnostic: Diagnostic): boolean {
  const { code, message } = diagnostic
  return (
    code === expensiveCode || code === tooLargeCode || isUnchecked(diagnostic) || crashMessages.has(message)
  )
}

function crashMessage({ label }: Engine): string {
  return `${label} fails on this SQL`
}

const crashMessages: ReadonlySet<string> = new Set(engines.map(crashMessage))

/** Returns the predicate of a message; the caller puts a subject in front. */
export function passedLimit(limit: BudgetLimit, { timeMs, memoryBytes }: Limits): string {
  if (limit === 'time') return `took more than ${timeMs / 1000} s`
  return `took more than ${Math.round(memoryBytes / 1e6)} MB of memory`
}

export function raiseLimit(limit: BudgetLimit): string {
  return `What it may take is limits.sql.${limit} in svc.yaml.`
}
