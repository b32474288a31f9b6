/**
 * The only file that names the SQLite drivers. `sqlite3` is the default and an optional dependency (it is
 * compiled if there is no prebuilt one); `better-sqlite3` replaces it with `--db-driver better-sqlite3`.
 */
import type { Cell, Row } from './storage.ts'

export const sqliteDrivers = ['sqlite3', 'better-sqlite3'] as const
export type SqliteDriver = (typeof sqliteDrivers)[number]

/** One connection. A statement is prepared at its first use and kept. */
export interface SqliteConnection {
  exec(text: string): Promise<void>
  /** Concurrent calls are not ordered; await each one if the order matters. */
  all(text: string, values: readonly Cell[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/** @throws MissingDriver */
export async function openSqlite(
  driver: SqliteDriver,
  path: string,
  readOnly: boolean,
): Promise<SqliteConnection> {
  return driver === 'sqlite3' ? openSqlite3(path, readOnly) : openBetterSqlite3(path, readOnly)
}

export class MissingDriver extends Error {
  override readonly name = 'MissingDriver'
}

/** More than the number of fixed statements in the service; a list with many filters creates new ones. */
const mostStatements = 500

async function openSqlite3(path: string, readOnly: boolean): Promise<SqliteConnection> {
  const { OPEN_CREATE, OPEN_READONLY, OPEN_READWRITE, Database } = await loadSqlite3()
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

async function openBetterSqlite3(path: string, readOnly: boolean): Promise<SqliteConnection> {
  const Database = await loadBetterSqlite3()
  const database = new Database(path, { readonly: readOnly })
  const statements = new Map<string, BetterStatement>()

  const prepare = (text: string): BetterStatement => {
    const known = statements.get(text)
    if (known !== undefined) return known
    dropOldest(statements, () => {})
    const statement = database.prepare(text)
    statements.set(text, statement)
    return statement
  }

  return {
    exec: async text => {
      database.exec(text)
    },
    all: async (text, values) => {
      const statement = prepare(text)
      if (statement.reader) return statement.all(values)
      statement.run(values)
      return []
    },
    close: async () => {
      database.close()
    },
  }
}

/** The part of better-sqlite3 that is used; its types are not installed. */
interface BetterStatement {
  readonly reader: boolean
  all(values: readonly Cell[]): readonly Row[]
  run(values: readonly Cell[]): unknown
}

type BetterDatabase = new (
  path: string,
  options: { readonly readonly: boolean },
) => { exec(text: string): void; prepare(text: string): BetterStatement; close(): void }

async function loadSqlite3(): Promise<typeof import('sqlite3')> {
  try {
    const loaded = await import('sqlite3')
    return (loaded as { default?: typeof import('sqlite3') }).default ?? loaded
  } catch (error) {
    throw missing('sqlite3', error)
  }
}

async function loadBetterSqlite3(): Promise<BetterDatabase> {
  // The name is in a variable, so that neither compiler nor bundler resolves a module that may not be
  // installed.
  const name = 'better-sqlite3'
  try {
    return ((await import(name)) as { default: BetterDatabase }).default
  } catch (error) {
    throw missing(name, error)
  }
}

function missing(driver: SqliteDriver, cause: unknown): MissingDriver {
  const repair =
    driver === 'sqlite3'
      ? '"npm rebuild sqlite3 --build-from-source" (needs a C++ compiler), "npm install better-sqlite3" with --db-driver better-sqlite3, or a PostgreSQL database'
      : '"npm install better-sqlite3@12"'
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
