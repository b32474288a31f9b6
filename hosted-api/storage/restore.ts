/** Fills an empty database with the rows of a backup, from any engine, of this version or an older one. */
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import knex from 'knex'
import pg from 'pg'
import { lockFile } from './file-lock.ts'
import { type Execute, migrate, ownTables, requireKnown } from './migrate.ts'
import { searchTogether } from './migrations/0009-search-together.ts'
import { sqlitePath } from './open-storage.ts'
import { requireAlone } from './postgres-presence.ts'
import { realPath } from './real-path.ts'
import { indexNewRows, searchedTables } from './search-index.ts'
import { openSqlite, type SqliteDriver } from './sqlite-driver.ts'
import type { Cell, Engine } from './storage.ts'
import { list, quoted } from './tables.ts'

/** The database is not empty, or the file is not a backup; the message says what to do. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError'
}

/** A backup cannot be written; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

export interface BackupTable {
  readonly table: string
  readonly columns: readonly string[]
  readonly sequence: number | null
}

export interface RestoreTarget {
  readonly address: string
  readonly driver: SqliteDriver | undefined
  readonly clock: () => Date
  /** Whether existing data are replaced. A SQLite file is kept beside the new one. */
  readonly force: boolean
}

/** The parts of a backup, in order: each table, then its rows in pages. */
export type BackupParts = AsyncIterable<BackupTable | readonly (readonly Cell[])[]>

/**
 * All or nothing: an error of `parts` leaves the database unchanged.
 * @param names migrations of the backup's database
 * @throws RestoreError, FileInUse, NewerDatabase
 */
export async function restoreDatabase(
  target: RestoreTarget,
  names: readonly string[],
  parts: BackupParts,
): Promise<void> {
  requireKnown(names)
  if (target.address.startsWith('sqlite:')) await restoreSqlite(target, names, parts)
  else await restorePostgres(target, names, parts)
}

async function restoreSqlite(
  { address, driver, clock, force }: RestoreTarget,
  names: readonly string[],
  parts: BackupParts,
): Promise<void> {
  const path = realPath(sqlitePath(address))
  if (existsSync(path) && !force) {
    throw new RestoreError(`${path} is there already: give another file, or --force to replace it`)
  }
  await mkdir(dirname(path), { recursive: true })
  const release = await lockFile(driver, path)
  const draft = `${path}.restore`
  try {
    for (const rest of ['', '-wal', '-shm']) await rm(draft + rest, { force: true })
    const connection = await openSqlite(driver, draft, false)
    try {
      await connection.exec(
        'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = off; begin immediate',
      )
      await fill('sqlite', (text, values) => connection.all(text, values), names, parts, clock)
      if (names.includes(searchTogether.name))
        for (const table of searchedTables) await connection.all(indexNewRows(table), [])
      const broken = await connection.all('pragma foreign_key_check', [])
      if (broken.length > 0)
        throw new RestoreError(`the backup has ${broken.length} rows that refer to nothing`)
      await connection.exec('commit; pragma wal_checkpoint(truncate)')
    } finally {
      await connection.close()
    }
    // Its write-ahead log belongs to the old file; together with the new one it would corrupt the database.
    if (existsSync(path)) await setAside(driver, path)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    await release()
  }
}

/** Moves the old file aside, with the content of its log. */
async function setAside(driver: SqliteDriver | undefined, path: string): Promise<void> {
  const connection = await openSqlite(driver, path, false)
  await connection.exec('pragma wal_checkpoint(truncate)').catch(() => {})
  await connection.close()
  await rename(path, `${path}.before-restore`)
  for (const rest of ['-wal', '-shm']) await rm(path + rest, { force: true })
}

async function restorePostgres(
  { address, clock, force }: RestoreTarget,
  names: readonly string[],
  parts: BackupParts,
): Promise<void> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    await requireAlone(client)
    await client.query('begin')
    const execute: Execute = async (text, values) => (await client.query(text, [...values])).rows
    await dropOwnTables(execute, force)
    await fill('postgres', execute, names, parts, clock)
    await client.query('commit')
  } finally {
    // Ending the connection without a commit rolls everything back.
    await client.end()
  }
}

/**
 * Other applications may have tables in the same schema, which stay as they are.
 * @throws RestoreError
 */
async function dropOwnTables(execute: Execute, force: boolean): Promise<void> {
  const tables = await execute(
    'select tablename as name from pg_tables where schemaname = current_schema()',
    [],
  )
  const there = new Set(tables.map(({ name }) => String(name)))
  const own = ownTables('postgres', knex({ client: 'pg' })).filter(name => there.has(name))
  if (own.length === 0) return
  if (!there.has('migration')) {
    throw new RestoreError(
      `the schema has a table "${own[0]}" that is not of svc-hosted: give another database or schema`,
    )
  }
  if (!force) {
    throw new RestoreError('the database has tables already: give an empty one, or --force to replace them')
  }
  try {
    await execute(`drop table ${list(own)}`, [])
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message?: string }
    if (code !== dependentObjects) throw error
    throw new RestoreError(
      `something of another application depends on the tables (${message}): remove it first`,
    )
  }
}

const dependentObjects = '2BP01'

async function fill(
  engine: Engine,
  execute: Execute,
  names: readonly string[],
  parts: BackupParts,
  clock: () => Date,
): Promise<void> {
  const build = knex({ client: engine === 'sqlite' ? 'sqlite3' : 'pg', useNullAsDefault: true })
  await migrate(engine, build, clock, execute, names)
  let table: BackupTable | undefined
  for await (const part of parts) {
    if ('table' in part) {
      table = part
      // Migrations insert initial rows, which the backup replaces.
      await execute(`delete from ${quoted(table.table)}`, [])
      await setSequence(engine, execute, table)
    } else if (table !== undefined) await insertRows(engine, execute, table, part)
  }
}

async function insertRows(
  engine: Engine,
  execute: Execute,
  { table, columns }: BackupTable,
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  if (engine === 'sqlite') {
    const values = columns.map((_, index) => `json_extract(value, '$[${index}]')`).join(', ')
    await execute(`insert into ${quoted(table)} (${list(columns)}) select ${values} from json_each(?)`, [
      JSON.stringify(rows),
    ])
    return
  }
  const records = rows.map(row =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
  )
  await execute(
    `insert into ${quoted(table)} (${list(columns)})
     select ${list(columns)} from json_populate_recordset(null::${quoted(table)}, $1)`,
    [JSON.stringify(records)],
  )
}

/** Restores the sequence, so that record numbers are never reused. */
async function setSequence(
  engine: Engine,
  execute: Execute,
  { table, sequence }: BackupTable,
): Promise<void> {
  if (sequence === null) return
  if (engine === 'postgres') {
    await execute(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [quoted(table), sequence])
    return
  }
  await execute('delete from sqlite_sequence where name = ?', [table])
  await execute('insert into sqlite_sequence (name, seq) values (?, ?)', [table, sequence])
}
