/**
 * The only file that names the SQLite drivers. `sqlite3` comes first: it runs each statement in a thread of its own. It is
 * native, and is not there where npm runs no install scripts or finds no prebuilt binary. `libsql` takes its place then: the
 * same files and locks, and its binaries are packages, which npm installs without running anything.
 */
import { existsSync } from 'node:fs'
import type LibsqlDatabase from 'libsql/promise'
import type { Cell, Row } from './storage.ts'

export const sqliteDrivers = ['sqlite3', 'libsql'] as const
export type SqliteDriver = (typeof sqliteDrivers)[number]

/** One connection. A statement is prepared at its first use and kept. */
export interface SqliteConnection {
  exec(text: string): Promise<void>
  /** Concurrent calls are not ordered; await each one if the order matters. */
  all(text: string, values: readonly Cell[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/**
 * @param driver the first of `sqliteDrivers` that can be loaded, if none is given
 * @throws MissingDriver
 */
export async function openSqlite(
  driver: SqliteDriver | undefined,
  path: string,
  readOnly: boolean,
): Promise<SqliteConnection> {
  if (driver === 'sqlite3') return openSqlite3(await loadSqlite3(), path, readOnly)
  if (driver === 'libsql') return openLibsql(await loadLibsql(), path, readOnly)
  const usual = await loadSqlite3().catch(() => undefined)
  return usual === undefined
    ? openLibsql(await loadLibsql(), path, readOnly)
    : openSqlite3(usual, path, readOnly)
}

export class MissingDriver extends Error {
  override readonly name = 'MissingDriver'
}

/** More than the number of fixed statements in the service; a list with many filters creates new ones. */
const mostStatements = 500

async function openSqlite3(
  { OPEN_CREATE, OPEN_READONLY, OPEN_READWRITE, Database }: Sqlite3,
  path: string,
  readOnly: boolean,
): Promise<SqliteConnection> {
  const mode = readOnly ? OPEN_READONLY : OPEN_READWRITE | OPEN_CREATE
  const database = await new Promise<import('sqlite3').Database>((resolve, reject) => {
    const opened = new Database(path, mode, error => (error === null ? resolve(opened) : reject(error)))
  })
  const statements = new Map<string, Copy[]>()

  /** A statement runs one query at a time, so the writer keeps several copies of those in use. */
  const copyOf = (text: string): Copy => {
    const known = statements.get(text) ?? []
    const free = leastAsked(known)
    if (free !== undefined && (free.asked === 0 || known.length >= (readOnly ? 1 : mostCopies))) return free
    if (known.length === 0) dropOldest(statements, copies => finalize(copies))
    // The driver drops the queries of a statement that cannot be prepared, without a word to them.
    const waiting = new Set<(error: Error) => void>()
    const statement = database.prepare(text, error => {
      if (error === null) return
      statements.delete(text)
      for (const reject of waiting) reject(error)
    })
    const copy = { statement, asked: 0, waiting }
    statements.set(text, [...known, copy])
    return copy
  }

  return {
    exec: text =>
      new Promise((resolve, reject) => {
        database.exec(text, error => (error === null ? resolve() : reject(error)))
      }),
    all: (text, values) =>
      new Promise((resolve, reject) => {
        const copy = copyOf(text)
        copy.asked++
        copy.waiting.add(reject)
        // `all` and never `get`, which leaves the statement and its read transaction open.
        copy.statement.all<Row>(values, (error: Error | null, rows: Row[]) => {
          copy.asked--
          copy.waiting.delete(reject)
          if (error === null) resolve(rows)
          else reject(error)
        })
      }),
    close: () =>
      new Promise((resolve, reject) => {
        for (const copies of statements.values()) finalize(copies)
        database.close(error => (error === null ? resolve() : reject(error)))
      }),
  }
}

/** A prepared statement, and the number of its pending queries. */
interface Copy {
  readonly statement: import('sqlite3').Statement
  asked: number
  /** Where those queries are told that the statement cannot be prepared. */
  readonly waiting: Set<(error: Error) => void>
}

/** Each is run by its own thread, and the readers need threads too. */
const mostCopies = 4

function leastAsked(copies: readonly Copy[]): Copy | undefined {
  let least = copies[0]
  for (const copy of copies) if (copy.asked < (least?.asked ?? 0)) least = copy
  return least
}

function finalize(copies: readonly Copy[]): void {
  for (const { statement } of copies) statement.finalize()
}

async function openLibsql(driver: Libsql, path: string, readOnly: boolean): Promise<SqliteConnection> {
  // The driver has no way to open a file for reading alone, and would make one that is not there.
  if (readOnly && !existsSync(path)) throw new Error(`SQLITE_CANTOPEN: unable to open database file ${path}`)
  const database = new driver(path, {})
  if (readOnly) await database.exec('pragma query_only = on')
  const statements = new Map<string, LibsqlStatement>()
  const inTurn = queue()

  const prepare = async (text: string): Promise<LibsqlStatement> => {
    const known = statements.get(text)
    if (known !== undefined) return known
    dropOldest(statements, () => {})
    const statement: LibsqlStatement = await database.prepare(text)
    statements.set(text, statement)
    return statement
  }

  return {
    exec: text => inTurn(() => database.exec(text)),
    all: (text, values) =>
      inTurn(async () => {
        const statement = await prepare(text)
        if (statement.reader) return statement.all(values)
        await statement.run(values)
        return []
      }),
    close: () =>
      inTurn(async () => {
        statements.clear()
        database.close()
      }),
  }
}

/** Runs one piece of work after the other: a statement that is asked again before its last row would begin anew. */
function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}

type Sqlite3 = typeof import('sqlite3')
type Libsql = typeof LibsqlDatabase

/** The driver has no types for its statements. */
interface LibsqlStatement {
  readonly reader: boolean
  all(values: readonly Cell[]): Promise<readonly Row[]>
  run(values: readonly Cell[]): unknown
}

async function loadSqlite3(): Promise<Sqlite3> {
  try {
    const loaded = await import('sqlite3')
    return (loaded as { default?: Sqlite3 }).default ?? loaded
  } catch (error) {
    throw missing(
      'sqlite3',
      '"npm rebuild sqlite3 --build-from-source" (needs a C++ compiler), or --db-driver libsql',
      error,
    )
  }
}

async function loadLibsql(): Promise<Libsql> {
  try {
    return (await import('libsql/promise')).default
  } catch (error) {
    throw missing('libsql', '"npm install" without --omit=optional, or a PostgreSQL database', error)
  }
}

function missing(driver: SqliteDriver, repair: string, cause: unknown): MissingDriver {
  const reason =
    cause instanceof Error ? cause.message.split('\n')[0]?.replace(/\. Tried:$/, '') : String(cause)
  return new MissingDriver(`the SQLite driver ${driver} cannot be loaded (${reason}): try ${repair}`)
}

function dropOldest<T>(statements: Map<string, T>, drop: (statement: T) => void): void {
  if (statements.size < mostStatements) return
  const [oldest] = statements
  if (oldest === undefined) return
  drop(oldest[1])
  statements.delete(oldest[0])
}
