/** Opens the database of an address, migrates its tables and returns the storage. */
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import knex from 'knex'
import pg from 'pg'
import { lockFile } from './file-lock.ts'
import { migratePostgres, migrateSqlite } from './migrate.ts'
import { createPostgresStorage } from './postgres-storage.ts'
import { openSqlite, type SqliteConnection, type SqliteDriver } from './sqlite-driver.ts'
import { createSqliteStorage } from './sqlite-storage.ts'
import type { Storage } from './storage.ts'
import { readStorageError, StorageError } from './storage-error.ts'
import { guardTransactions } from './transaction-guard.ts'

export interface StorageOptions {
  /** `sqlite:///absolute/path`, `sqlite:relative/path` or `postgres://user@host:port/database`. */
  readonly address: string
  readonly driver: SqliteDriver
  readonly clock: () => Date
  /** Opens a SQLite file that a server may have open, for a command that reads or changes one thing. */
  readonly shared?: boolean
}

/** The address cannot be used; the message says what to write. */
export class AddressError extends Error {
  override readonly name = 'AddressError'
}

/**
 * @throws AddressError, MissingDriver, FileInUse, NewerDatabase, or the engine's error about a database that
 * it cannot open
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { address } = options
  if (/^postgres(ql)?:\/\//.test(address)) return openPostgres(options)
  if (address.startsWith('sqlite:')) return openSqliteFile(options, sqlitePath(address))
  throw new AddressError(
    `"${address.split('://')[0]}" is no database address: give sqlite:///path/to/file or postgres://user@host/database`,
  )
}

/** `sqlite:///var/data.db` is absolute, `sqlite:data.db` relative to the working directory. */
export function sqlitePath(address: string): string {
  const rest = address.slice('sqlite:'.length)
  const path = rest.startsWith('//') ? fileUrlPath(rest) : resolve(decodeURIComponent(rest))
  if (rest === '' || path.endsWith('/'))
    throw new AddressError(`"${address}" names no file: sqlite:///path/to/file`)
  return path
}

function fileUrlPath(rest: string): string {
  try {
    return fileURLToPath(`file:${rest}`)
  } catch {
    throw new AddressError(`"sqlite:${rest}" has a host: three slashes name a file, sqlite:///path/to/file`)
  }
}

/** For every connection; `trusted_schema` and `query_only` limit what a malicious file could do. */
const connectionPragmas = `pragma busy_timeout = 5000; pragma foreign_keys = on; pragma temp_store = memory;
  pragma cache_size = -16000; pragma trusted_schema = off;`
const writerPragmas = `pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864;`
const readerCount = 2

async function openSqliteFile(options: StorageOptions, path: string): Promise<Storage> {
  const { driver, clock } = options
  await mkdir(dirname(path), { recursive: true })
  const release = options.shared ? async () => {} : await lockFile(driver, path)
  const opened: SqliteConnection[] = []
  try {
    const open = async (readOnly: boolean, pragmas: string) => {
      const connection = await openSqlite(driver, path, readOnly)
      opened.push(connection)
      await whenFree(() => connection.exec(pragmas))
      return connection
    }
    const build = knex({ client: 'sqlite3', useNullAsDefault: true })
    const writer = await open(false, connectionPragmas + writerPragmas)
    await migrateSqlite(writer, build, clock)
    await guardTransactions(writer)
    const openReader = () => open(true, `${connectionPragmas} pragma query_only = on;`)
    const readers = await Promise.all(Array.from({ length: readerCount }, openReader))
    return createSqliteStorage({
      place: `sqlite ${path}`,
      build,
      writer,
      readers,
      openReader,
      clock,
      release,
    })
  } catch (error) {
    await Promise.allSettled(opened.map(connection => connection.close()))
    await release()
    throw error
  }
}

const mostTries = 100

/** Switching to WAL needs exclusive access, for which SQLite does not wait by itself. */
async function whenFree(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const told = readStorageError(error)
      if (tries === mostTries || !(told instanceof StorageError) || told.kind !== 'busy') throw error
    }
    await wait(20 + Math.random() * 60)
  }
}

async function openPostgres({ address, clock }: StorageOptions): Promise<Storage> {
  const pool = new pg.Pool({
    connectionString: address,
    max: 10,
    connectionTimeoutMillis: 5000,
    statement_timeout: 15_000,
    lock_timeout: 5000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'svc-hosted',
  })
  // Errors of broken connections are reported by their queries; without a listener they would end the
  // process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  try {
    const build = knex({ client: 'pg' })
    await migratePostgres(pool, build, clock)
    return createPostgresStorage({ place: placeOf(address), build, pool, clock })
  } catch (error) {
    await pool.end()
    throw error
  }
}

function placeOf(address: string): string {
  const { host, pathname } = new URL(address)
  return `postgres ${host}${pathname}`
}
