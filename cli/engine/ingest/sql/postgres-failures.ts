/** What an error of PostgreSQL, or of the way to it, means for the person who runs svc. */
import { SvcError } from '../../errors.ts'
import { DatabaseError } from './database.ts'

interface ServerError extends Error {
  readonly code?: string
  readonly hint?: string
  readonly detail?: string
  readonly severity?: string
}

/** Connections that break, and servers that start, stop or are full: worth another try. */
const passing = /^(08|57P0[123]|53[34])/
/** The user, the password, the database, or a right. */
const refused = /^(28|3D000|42501)/

/** Returns errors of svc itself, and the end of an interrupted fetch, as they are. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError || error instanceof SvcError) return error
  const { code, severity, message, hint } = error as ServerError
  if (severity === undefined) return unreachable(error as ServerError)
  if (passing.test(code ?? ''))
    return new DatabaseError('unreachable', `ended the connection: ${message}`, { cause: error })
  if (refused.test(code ?? '')) {
    return new DatabaseError('denied', `refuses: ${message}`, {
      hint: hint ?? 'Check the user, the password and the rights that the user has (GRANT SELECT).',
      cause: error,
    })
  }
  return new DatabaseError('statement', message, { hint: hint ?? hintFor(code), cause: error })
}

function unreachable(error: ServerError): unknown {
  const isNetwork = /^(E[A-Z]+|ERR_TLS|DEPTH|SELF_SIGNED|CERT|UNABLE)/.test(error.code ?? '')
  const isCut = /Connection terminated|timeout expired|SSL|Client was closed|closed the connection/i.test(
    error.message,
  )
  if (/password must be a string|no password/i.test(error.message)) {
    return new DatabaseError('denied', 'asks for a password, and none is given', {
      hint: 'Set the variable of ingest.credentials, or put the password into the address of an env: variable.',
      cause: error,
    })
  }
  if (!isNetwork && !isCut) return error
  const reason = error.message === '' ? (error.code ?? 'no answer') : error.message
  return new DatabaseError('unreachable', `cannot be reached: ${reason}`, {
    hint: 'Check host and port, and that the server runs and lets this machine in.',
    cause: error,
  })
}

function hintFor(code: string | undefined): string {
  if (code === '42P01') return 'Check ingest.resource: schema.table, in the letters that the database has.'
  if (code === '57014')
    return 'The server cancelled the statement: raise its statement_timeout, or read less with where.'
  return 'Check ingest.query, ingest.where and ingest.resource.'
}
