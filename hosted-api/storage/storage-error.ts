/** What a database refused, in the same words for both engines. */
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
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  ENOTFOUND: 'unavailable',
}

/** `sqlite3` says only `SQLITE_CONSTRAINT`; which one is in the message. */
const sqliteMessages: readonly (readonly [RegExp, StorageErrorKind])[] = [
  [/UNIQUE constraint failed|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)/, 'unique'],
  [/FOREIGN KEY constraint failed/, 'reference'],
  [/NOT NULL constraint failed/, 'required'],
  [/SQLITE_(BUSY|LOCKED)|database (table )?is locked/, 'busy'],
  [/SQLITE_FULL|database or disk is full|SQLITE_IOERR/, 'full'],
  [/SQLITE_CANTOPEN|SQLITE_READONLY/, 'unavailable'],
]

/** The error as a StorageError where it is one that a caller can do something about, else the error itself. */
export function readStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageError) return error
  const code = String((error as { code?: unknown }).code ?? '')
  const kind = sqlstates[code] ?? sqliteKind(`${code} ${error.message}`)
  return kind === undefined ? error : new StorageError(kind, error.message, error)
}

function sqliteKind(text: string): StorageErrorKind | undefined {
  return sqliteMessages.find(([pattern]) => pattern.test(text))?.[1]
}
