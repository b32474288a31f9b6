/** Opens the database of an address, migrates its tables and returns the storage. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import knex from 'knex'
import pg from 'pg'
import { FileInUse, lockFile } from './file-lock.ts'
import { migratePostgres, migrateSqlite } from './migrate.ts'
import { showPresence } from './postgres-presence.ts'
import { createPostgresStorage, postgresReaders, writePlaces } from './postgres-storage.ts'
import { newServerName } from './presence.ts'
import { hasSecondName, realPath } from './real-path.ts'
import { openSqlite, type SqliteConnection, type SqliteDriver } from './sqlite-driver.ts'
import { createSqliteStorage, sqliteReaders } from './sqlite-storage.ts'
import type { Readers, Storage } from './storage.ts'
import { readStorageError, StorageError } from './storage-error.ts'
import { guardTransactions } from './transaction-guard.ts'

export interface StorageOptions {
  /** `sqlite:///absolute/path`, `sqlite:relative/path` or `postgres://user@host:port/database`. */
  readonly address: string
  readonly driver: SqliteDriver | undefined
  readonly clock: () => Date
  /** Opens a SQLite file that a server may have open, for a command that reads or changes one thing. */
  readonly shared?: boolean
  /** Refuses a database without the tables of svc-hosted, because a mistyped address would make a new one. */
  readonly mustExist?: boolean
}

/** There is no database at the address; the message says what to do. */
export class MissingDatabase extends Error {
  override readonly name = 'MissingDatabase'
}

/** The address cannot be used; the message says what to write. */
export class AddressError extends Error {
  override readonly name = 'AddressError'
}

/**
 * @throws AddressError, MissingDatabase, MissingDriver, FileInUse, NewerDatabase, or the engine's error about a database that
 * it cannot open
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { address } = options
  if (/^postgres(ql)?:\/\//.test(address)) return openPostgres(options)
  if (address.startsWith('sqlite:')) return openSqliteFile(options, realPath(sqlitePath(address)))
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
/**
 * Only a new file takes the size of its pages from here: in the usual ones of 4 kB a whole page would hold one asset of
 * twenty columns. An upload of 20,000 takes a tenth less so, and a write as long as before.
 */
const writerPragmas = `pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = full;
  pragma journal_size_limit = 67108864;`
const readerCount = 2
const longReaderCount = 2

/**
 * Opens a database that a server of the same version has open, in a process that only reads.
 * @throws MissingDriver, or the engine's error about a database that it cannot open
 */
export async function openReaders({
  address,
  driver,
}: Pick<StorageOptions, 'address' | 'driver'>): Promise<Readers> {
  if (/^postgres(ql)?:\/\//.test(address)) {
    const pool = openPool(address, longReaderCount * 2)
    return postgresReaders(knex({ client: 'pg' }), pool)
  }
  const path = realPath(sqlitePath(address))
  const open = () => openReader(driver, path)
  const connections = await Promise.all(Array.from({ length: longReaderCount }, open))
  return sqliteReaders(knex({ client: 'sqlite3', useNullAsDefault: true }), connections)
}

async function openReader(driver: SqliteDriver | undefined, path: string): Promise<SqliteConnection> {
  const connection = await openSqlite(driver, path, true)
  await whenFree(() => connection.exec(`${connectionPragmas} pragma query_only = on;`))
  return connection
}

async function openSqliteFile(options: StorageOptions, path: string): Promise<Storage> {
  const { driver, clock, mustExist = false } = options
  if (mustExist && !existsSync(path)) throw missingDatabase(`there is no file ${path}`)
  if (options.shared !== true && hasSecondName(path)) {
    throw new FileInUse(
      `${path} has a second name (a hard link), under which another server would damage it: remove that, or use a symbolic link`,
    )
  }
  await mkdir(dirname(path), { recursive: true })
  // Nobody else reads what teams write; SQLite gives its other files the same rights.
  if (!existsSync(path)) await writeFile(path, '', { mode: 0o600, flag: 'a' })
  const release = options.shared ? async () => {} : await lockFile(driver, path)
  const opened: SqliteConnection[] = []
  try {
    const build = knex({ client: 'sqlite3', useNullAsDefault: true })
    if (mustExist) await requireOwn(driver, path)
    const writer = await openSqlite(driver, path, false)
    opened.push(writer)
    await whenFree(() => writer.exec(connectionPragmas + writerPragmas))
    await migrateSqlite(writer, build, clock)
    await guardTransactions(writer)
    const openOne = () => openReader(driver, path)
    const open = async () => {
      const reader = await openOne()
      opened.push(reader)
      return reader
    }
    const readers = await Promise.all(Array.from({ length: readerCount }, open))
    const longReaders = await Promise.all(Array.from({ length: longReaderCount }, open))
    return createSqliteStorage({
      place: `sqlite ${path}`,
      build,
      writer,
      readers,
      longReaders,
      openReader: openOne,
      clock,
      release,
    })
  } catch (error) {
    await Promise.allSettled(opened.map(connection => connection.close()))
    await release()
    throw error
  }
}

/** Asks before anything is written to the file. */
async function requireOwn(driver: SqliteDriver | undefined, path: string): Promise<void> {
  const connection = await openSqlite(driver, path, true)
  try {
    const [own] = await connection.all(`select 1 as one from sqlite_master where name = 'migration'`, [])
    if (own === undefined) throw missingDatabase(`${path} has no tables of svc-hosted`)
  } finally {
    await connection.close()
  }
}

function missingDatabase(what: string): MissingDatabase {
  return new MissingDatabase(`${what}: look at --db, or make a new database there with --create`)
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

async function openPostgres({ address, clock, shared, mustExist }: StorageOptions): Promise<Storage> {
  const pools = {
    pool: openPool(address, 6),
    // The end of a transaction is sent without waiting for the statement before it.
    writePool: openPool(address, writePlaces, { pipeline: true }),
    longPool: openPool(address, 4),
  }
  const { pool } = pools
  let leave: (() => Promise<void>) | undefined
  try {
    const build = knex({ client: 'pg' })
    const place = placeOf(address)
    if (mustExist === true) {
      const { rows } = await pool.query(`select to_regclass('migration') is null as missing`)
      if (rows[0]?.missing === true) throw missingDatabase(`${place} has no tables of svc-hosted`)
    }
    const server = newServerName()
    leave = shared === true ? undefined : await showPresence(address, server)
    await migratePostgres(pool, build, clock)
    return createPostgresStorage({ place, server, build, ...pools, clock, leave: leave ?? (async () => {}) })
  } catch (error) {
    await leave?.()
    await Promise.all(Object.values(pools).map(each => each.end()))
    throw error
  }
}

function openPool(address: string, max: number, more: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    ...more,
    connectionString: address,
    max,
    // Those that are open stay open: at the begin of a rush everybody would wait for new ones and their prepared statements.
    min: max,
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
  return pool
}

/** As pg reads the address: also with a folder of Unix sockets in place of a host. */
function placeOf(address: string): string {
  const { host, port, database } = new pg.Client({ connectionString: address })
  const where = host.includes(':') ? `[${host}]` : host
  return `postgres ${where}${port === 5432 ? '' : `:${port}`}/${database ?? ''}`
}
