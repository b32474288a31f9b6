/** Errors of the database, the same for both engines. */
export type StorageErrorKind = 'unique' | 'reference' | 'required' | 'busy' | 'full' | 'unavailable'

export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly kind: StorageErrorKind

  constructor(kind: StorageErrorKind, message: string, cause: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

const sqlstates: Readonly<Record<string, StorageErrorKind>> = {
  '23505': 'unique',
  '23503': 'reference',
  '23502': 'required',
  '40001': 'busy',
  '40P01': 'busy',
  '55P03': 'busy',
  '57014': 'busy',
  '53100': 'full',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '53300': 'unavailable',
  '08000': 'unavailable',
  '08001': 'unavailable',
  '08003': 'unavailable',
  '08006': 'unavailable',
  EPIPE: 'unavailable',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  ENOTFOUND: 'unavailable',
}

/**
 * Recognizes errors without a code: `sqlite3` says only `SQLITE_CONSTRAINT`, `pg` has none for lost
 * connections.
 */
const messages: readonly (readonly [RegExp, StorageErrorKind])[] = [
  [/UNIQUE constraint failed|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)/, 'unique'],
  [/FOREIGN KEY constraint failed/, 'reference'],
  [/NOT NULL constraint failed/, 'required'],
  [/SQLITE_(BUSY|LOCKED)|database (table )?is locked/, 'busy'],
  // There is no transaction only if SQLite has ended it by itself.
  [/SQLITE_FULL|database or disk is full|SQLITE_IOERR|no transaction (runs|is active)/, 'full'],
  [/SQLITE_CANTOPEN|SQLITE_READONLY/, 'unavailable'],
  [/Connection terminated|connection timeout|timeout exceeded when trying to connect/i, 'unavailable'],
  [/Client has encountered a connection error|not queryable/i, 'unavailable'],
]

/** Returns a StorageError if a caller can handle it, otherwise the error itself. */
export function readStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageError) return error
  const code = String((error as { code?: unknown }).code ?? '')
  const kind = sqlstates[code] ?? kindOfMessage(`${code} ${error.message}`)
  return kind === undefined ? error : new StorageError(kind, error.message, error)
}

function kindOfMessage(text: string): StorageErrorKind | undefined {
  return messages.find(([pattern]) => pattern.test(text))?.[1]
}
