/** What an error of a database means for a batch: that its rows are wrong, that another try may help, or neither. */
import { SvcError } from '../errors.ts'
import { DatabaseError } from '../ingest/sql/database.ts'
import { Passing, Refused } from './destination.ts'

const hints = {
  unreachable: 'Check host and port of publish endpoint, and that the server runs and lets this machine in.',
  denied:
    'Check the user and DESTINATION__<TARGET>__CREDENTIALS, and the rights that the user has (INSERT, UPDATE, DELETE).',
  statement: 'Check publish resource and fields.',
}

export interface JudgedError {
  /** The error as the reader of the same database explains it. */
  readonly explained: unknown
  /** Whether the values of the rows are at fault. */
  readonly isOfRows: boolean
  readonly isPassing: boolean
  readonly shown: string
}

/** Returns what to throw. */
export function judged({ explained, isOfRows, isPassing, shown }: JudgedError): unknown {
  if (!(explained instanceof DatabaseError)) return explained
  const { failure, message, cause } = explained
  if (isOfRows) return new Refused(message)
  if (isPassing || failure === 'unreachable') {
    return new Passing('database-unreachable', `${shown} ${message}`, { hint: hints.unreachable, cause })
  }
  const code = failure === 'denied' ? 'database-denied' : 'database-statement'
  return new SvcError(code, `${shown}: ${message}`, { hint: hints[failure], cause })
}
