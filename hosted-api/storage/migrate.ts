/**
 * Migrates the tables of a database: all missing migrations in one transaction under a lock, so that several
 * servers may start on an empty database at the same moment.
 */
import type { Knex } from 'knex'
import type { Pool } from 'pg'
import { type MigrationStep, migrations } from './migrations/index.ts'
import type { SqliteConnection } from './sqlite-driver.ts'
import type { Cell, Engine, Row } from './storage.ts'

export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
}

/** Runs one statement; `?` on SQLite, `$1` on PostgreSQL, as knex writes it for the engine. */
export type Execute = (text: string, values: readonly Cell[]) => Promise<readonly Row[]>

export async function migrateSqlite(
  connection: SqliteConnection,
  build: Knex,
  clock: () => Date,
): Promise<void> {
  await connection.exec('begin immediate')
  try {
    await migrate('sqlite', build, clock, (text, values) => connection.all(text, values))
    await connection.exec('commit')
  } catch (error) {
    await connection.exec('rollback').catch(() => {})
    throw error
  }
}

/** An arbitrary number, the same for all servers. */
const advisoryLock = 7_421_761

export async function migratePostgres(pool: Pool, build: Knex, clock: () => Date): Promise<void> {
  const client = await pool.connect()
  try {
    // A migration may take longer than a request.
    await client.query('begin; set local statement_timeout = 0; set local lock_timeout = 0')
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLock])
    await migrate(
      'postgres',
      build,
      clock,
      async (text, values) => (await client.query(text, [...values])).rows,
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/** @param names which migrations, for an older database; all if left out */
export async function migrate(
  engine: Engine,
  build: Knex,
  clock: () => Date,
  execute: Execute,
  names: readonly string[] = migrations.map(({ name }) => name),
): Promise<void> {
  await execute('create table if not exists migration (name text primary key, at text not null)', [])
  const applied = new Set((await execute('select name from migration', [])).map(row => String(row['name'])))
  requireKnown([...applied])
  for (const migration of migrations.filter(({ name }) => names.includes(name) && !applied.has(name))) {
    const now = clock().toISOString()
    const noted = build('migration').insert({ name: migration.name, at: now })
    for (const step of [...migration.steps(build, engine, now), noted]) await apply(step, execute)
  }
}

/** Returns the names of all tables that any migration has made. */
export function ownTables(engine: Engine, build: Knex): readonly string[] {
  const texts = migrations
    .flatMap(({ steps }) => steps(build, engine, ''))
    .flatMap(step => {
      if (typeof step === 'string') return [step]
      const written = step.toSQL()
      return Array.isArray(written) ? written.map(({ sql }) => String(sql)) : [String(written.sql)]
    })
  const made = texts.flatMap(text => /^create table [`"]?(\w+)/.exec(text)?.[1] ?? [])
  return ['migration', ...made]
}

/** @throws NewerDatabase */
export function requireKnown(applied: readonly string[]): void {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter(name => !known.has(name))
  if (unknown.length === 0) return
  throw new NewerDatabase(
    `a newer svc-hosted has changed this database (${unknown.join(', ')}): start that version, or restore a backup`,
  )
}

async function apply(step: MigrationStep, execute: Execute): Promise<void> {
  if (typeof step === 'string') {
    await execute(step, [])
    return
  }
  // A table builder gives several statements without values; a query gives one.
  const written = step.toSQL()
  if (!Array.isArray(written)) {
    const { sql, bindings } = written.toNative()
    await execute(sql, bindings as readonly Cell[])
    return
  }
  for (const { sql } of written) await execute(sql, [])
}
