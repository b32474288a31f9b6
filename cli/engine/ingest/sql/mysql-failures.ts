/** What an error of MySQL or MariaDB, or of the way to it, means for the person who runs svc. */
import { SvcError } from '../../errors.ts'
import { DatabaseError } from './database.ts'

interface ServerError extends Error {
  readonly code?: string
  readonly errno?: number
  readonly fatal?: boolean
}

const refused =
  /^ER_(ACCESS_DENIED|DBACCESS_DENIED|BAD_DB|TABLEACCESS_DENIED|COLUMNACCESS_DENIED|NOT_SUPPORTED_AUTH|SPECIFIC_ACCESS_DENIED)/
const passing =
  /^(E[A-Z]+$|PROTOCOL_CONNECTION_LOST|PROTOCOL_SEQUENCE_TIMEOUT|HANDSHAKE|ER_CON_COUNT|ER_SERVER_SHUTDOWN|ER_NORMAL_SHUTDOWN|ER_SERVER_GONE|ER_NET)/

/** Returns errors of svc itself as they are. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError || error instanceof SvcError) return error
  const { code = '', message, errno } = error as ServerError
  if (refused.test(code)) {
    return new DatabaseError('denied', `refuses: ${message}`, {
      hint:
        code === 'ER_SPECIFIC_ACCESS_DENIED_ERROR'
          ? 'Reading parts of one moment needs the right RELOAD: grant it, or leave out ingest.split.'
          : 'Check the user, the password and the rights that the user has (GRANT SELECT).',
      cause: error,
    })
  }
  if (errno !== undefined && code.startsWith('ER_') && !passing.test(code)) {
    return new DatabaseError('statement', message, {
      hint:
        code === 'ER_NO_SUCH_TABLE'
          ? 'Check ingest.resource: database.table, in the letters that the database has.'
          : 'Check ingest.query, ingest.where and ingest.resource.',
      cause: error,
    })
  }
  if (!passing.test(code) && !/closed|lost|timeout|ETIMEDOUT/i.test(message)) return error
  return new DatabaseError('unreachable', `cannot be reached: ${message === '' ? code : message}`, {
    hint: 'Check host and port, and that the server runs and lets this machine in.',
    cause: error,
  })
}
