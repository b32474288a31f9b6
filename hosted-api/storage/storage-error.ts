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

/** SQLSTATEs of PostgreSQL, and codes of connections. */
const codes: readonly (readonly [StorageErrorKind, ...string[]])[] = [
  ['unique', '23505'],
  ['reference', '23503'],
  ['required', '23502'],
  ['busy', '40001', '40P01', '55P03', '57014'],
  ['full', '53100'],
  ['unavailable', '57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08006'],
  ['unavailable', 'EPIPE', 'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND'],
]

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
  const kind = codes.find(each => each.includes(code, 1))?.[0] ?? kindOfMessage(`${code} ${error.message}`)
  return kind === undefined ? error : new StorageError(kind, error.message, error)
}

function kindOfMessage(text: string): StorageErrorKind | undefined {
  return messages.find(([pattern]) => pattern.test(text))?.[1]
}
