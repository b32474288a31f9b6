/**
 * Turns errors of PostgreSQL, and of the way to it, into SvcErrors that say what failed, where, and what to do. It asks
 * the server nothing.
 */
import type { Hint } from '@svc/server/language'
import { type ErrorCode, ofWorld, type SqlExcerpt, SvcError } from '../../errors.ts'
import { postgresDialect } from './dialect.ts'

export interface ServerError extends Error {
  /** The SQLSTATE, or the code of a network error. */
  readonly code?: string
  /** Only errors of the server itself have one. */
  readonly severity?: string
  readonly hint?: string
  readonly detail?: string
  /** The number of the character in the statement, from 1. */
  readonly position?: string
  /** The function of the server's own source that has failed. */
  readonly routine?: string
  /** The statement of a function's body in which it failed; absent where it is the statement that was sent. */
  readonly internalQuery?: string
  /** In which functions that was, the innermost first, in the language of the server. */
  readonly where?: string
}

/**
 * Returns the SvcError of a failed statement. Rethrows bugs.
 * @param sql the text that was sent, to which positions refer
 * @param role who connects, where that may be what failed
 */
export function statementFailure(
  error: unknown,
  label: string,
  {
    code = 'warehouse-failed',
    sql,
    role = '',
  }: { readonly code?: ErrorCode; readonly sql?: string | undefined; readonly role?: string } = {},
): SvcError {
  if (error instanceof SvcError) return error
  if (error instanceof TypeError || error instanceof RangeError || !(error instanceof Error)) throw error
  const failure = error as ServerError
  if (failure.severity === undefined) return unreachable(failure, label)
  const world = shutOut(failure, label, role) ?? worldFailure(failure, label) ?? neededByOthers(failure)
  if (world !== undefined) return world
  return new SvcError(code, failure.message, {
    cause: error,
    withoutValues: messageWithoutValues(failure),
    hint: bodyHint(failure) ?? failure.hint,
    excerpt: sql === undefined ? undefined : excerptOf(failure, sql),
  })
}

const notFound: ReadonlySet<string> = new Set(['42P01', '42883', '42704'])
/** The routines of the server that look for roles, tablespaces and settings, which are in no schema. */
const looksInNoSchema = /^(?:get_role|get_tablespace|find_option)/

function isOfSchema({ code = '', routine = '' }: ServerError): boolean {
  return notFound.has(code) && !looksInNoSchema.test(routine)
}

/** Returns whether a name without its schema was not found. The server may speak any language (`lc_messages`). */
function isOfBareName(error: ServerError): boolean {
  // Only names have a dot between two signs. Types of arguments come last.
  const [beforeArguments = ''] = error.message.split('(')
  return isOfSchema(error) && !/[^\s.]\.[^\s.]/.test(beforeArguments)
}

/** Returns what to do where the body of a function of users finds a name no more. */
function bodyHint(error: ServerError): string | undefined {
  if (error.internalQuery === undefined || !isOfBareName(error)) return undefined
  const [, name = '…'] =
    /(?:^|\n)(?:SQL function|PL\/pgSQL function) ("[^"]+"|[^\s(]+)/.exec(error.where ?? '') ?? []
  return `The body of the function names this without its schema, and a session of svc looks in pg_catalog alone: ALTER FUNCTION ${name} SET search_path = <its schema>, or write the schema in the body.`
}

/** Returns the error of a statement around a build; one about a name without its schema says to write it. */
export function hookFailure(error: unknown, label: string, sql: string): SvcError {
  const failure = statementFailure(error, label, { code: 'build-failed', sql })
  if (bodyHint(error as ServerError) !== undefined) return failure
  const isBare = isOfBareName(error as ServerError)
  const isMadeThere = codeOf(error) === '42501' && failure.message.includes('pg_catalog')
  return isBare || isMadeThere
    ? failure.retold(failure.message, {
        hint: 'Write the schema in front of the name (public.audit): a run looks for names without one in pg_catalog alone.',
      })
    : failure
}

/** Network errors, TLS, and connections that end. */
function unreachable(error: ServerError, label: string): SvcError {
  if (/password must be a string|no password/i.test(error.message)) {
    return new SvcError('warehouse-failed', `${label} asks for a password, and none is given`, {
      hint: 'Set PGPASSWORD or PGPASSFILE, or write warehouse: env:VARIABLE with the whole address in that variable.',
      cause: error,
      facts: ofWorld,
    })
  }
  const isNetwork = /^(E[A-Z]+|ERR_TLS|DEPTH|SELF_SIGNED|CERT|UNABLE)/.test(error.code ?? '')
  const isCut =
    /Connection terminated|timeout|SSL|Client was closed|closed the connection|not queryable/i.test(
      error.message,
    )
  if (!isNetwork && !isCut) throw error
  const reason = error.message === '' ? (error.code ?? 'no answer') : error.message
  const hint = networkHints.find(([pattern]) => pattern.test(`${error.code} ${error.message}`))?.[1]
  return new SvcError('warehouse-failed', `${label} cannot be reached: ${reason}`, {
    hint,
    cause: error,
    facts: ofWorld,
  })
}

/** What to do, by the code and the message of the client; the last one fits all. */
const networkHints: readonly (readonly [RegExp, string])[] = [
  [/ALTNAME/, 'Write the host as the certificate names it, or check the authority alone: sslmode=verify-ca.'],
  [
    /UNABLE_TO|SELF_SIGNED|CERT_|DEPTH_ZERO/,
    'Name the certificate of its authority in the address: sslrootcert=/path/to/ca.crt.',
  ],
  [/does not support SSL/, 'Turn TLS on in the server, or write sslmode=disable into the address.'],
  [/ENOENT/, 'Check the paths of certificates and of the socket in the address.'],
  [/^/, 'Check host and port, and that the server runs and lets this machine in; what was complete is kept.'],
]

const refusals: Readonly<Record<string, readonly [(label: string, message: string) => string, Hint]>> = {
  '42501': [
    (label, message) => `${label} does not allow it: ${message}`,
    svc => `${svc('doctor')} lists what the role may not do, with the GRANT that it needs.`,
  ],
  '57014': [
    (label, message) => `${label} ended the statement: ${message}`,
    'Raise the statement_timeout of the role, or run fewer builds at once with --threads.',
  ],
  '53100': [
    (label, _) => `the disk of ${label} is full`,
    'Free some space and run again: what was complete is kept.',
  ],
  '53200': [
    (label, message) => `${label} has no room for what the transaction holds: ${message}`,
    'Raise max_locks_per_transaction of the server (a promotion locks each view that it changes, and what that reads), and restart it.',
  ],
  '53300': [
    (label, _) => `${label} has no connection left`,
    'Run fewer builds at once with --threads, or raise max_connections.',
  ],
  '25006': [(label, _) => `${label} is read-only`, 'Name the primary server, not a replica, as warehouse.'],
}

/** A role that may not log in, or not into this database: only an administrator can let it in. */
function shutOut(error: ServerError, label: string, role: string): SvcError | undefined {
  if (error.severity !== 'FATAL' || role === '') return undefined
  const { identifier } = postgresDialect
  const database = /^permission denied for database "(.*)"$/s.exec(error.message)?.[1]
  const isNoLogin = error.code === '28000' && error.message.endsWith('is not permitted to log in')
  if (database === undefined && !isNoLogin) return undefined
  const hint =
    database === undefined
      ? `ALTER ROLE ${identifier(role)} LOGIN;`
      : `GRANT CONNECT ON DATABASE ${identifier(database)} TO ${identifier(role)};`
  return new SvcError('warehouse-failed', `${label} refuses: ${error.message}`, {
    hint,
    cause: error,
    facts: ofWorld,
  })
}

function worldFailure(error: ServerError, label: string): SvcError | undefined {
  const { code = '', message } = error
  if (/^(28|3D000)/.test(code)) {
    return new SvcError('warehouse-failed', `${label} refuses: ${message}`, {
      hint: 'Check the user, the password and the database in the address of the warehouse.',
      cause: error,
      facts: ofWorld,
    })
  }
  if (/^(08|57P0[123])/.test(code)) {
    return new SvcError('warehouse-failed', `${label} ended the connection: ${message}`, {
      hint: 'Run again: what was complete is kept.',
      cause: error,
      facts: ofWorld,
    })
  }
  const [says, hint] = refusals[code] ?? []
  const facts = refusesStatement.has(code) ? undefined : ofWorld
  return says && new SvcError('warehouse-failed', says(label, message), { hint, cause: error, facts })
}

/** A right that is missing, and a statement that takes too long or too many locks: others may pass. */
const refusesStatement: ReadonlySet<string> = new Set(['42501', '57014', '53200'])

/** What others have made reads what is to go or to change. */
function neededByOthers(error: ServerError): SvcError | undefined {
  if (error.code !== '2BP01') return undefined
  return new SvcError('foreign-object', `${error.message}: ${error.detail ?? ''}`.replace(/: $/, ''), {
    hint: 'Change or drop that first.',
    cause: error,
  })
}

export function codeOf(error: unknown): string {
  const cause = error instanceof SvcError ? error.cause : error
  return String((cause as ServerError | undefined)?.code ?? '')
}

/** Returns whether two transactions changed the same thing, so that a retry helps. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  if (/^(40001|40P01|42P06|42P07|42710)$/.test(code)) return true
  const message = error instanceof Error ? error.message : ''
  return (
    (code === '23505' && /pg_(namespace|class|type)_/.test(message)) || /tuple concurrently/.test(message)
  )
}

/** Returns whether the server has no memory for one lock more. A savepoint gives back what it took, at its end. */
export function isWithoutRoom(error: unknown): boolean {
  return codeOf(error) === '53200'
}

/** Returns whether a lock was not given in time. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/** Messages about data quote the value: `invalid input syntax for type integer: "x"`. */
function messageWithoutValues({ code = '', message }: ServerError): string {
  return /^2[23]/.test(code) ? message.replace(/: ".*"$|"[^"]*"(?= is out of range)/s, ': a value') : message
}

/** Returns the line of the position, and the place in it. */
function excerptOf({ position }: ServerError, sql: string): SqlExcerpt | undefined {
  if (position === undefined) return undefined
  // The server counts characters, and JavaScript UTF-16 units.
  const before = [...sql].slice(0, Number(position) - 1).join('')
  const start = before.lastIndexOf('\n') + 1
  const end = sql.indexOf('\n', before.length)
  return { text: sql.slice(start, end < 0 ? undefined : end), offset: before.length - start }
}
