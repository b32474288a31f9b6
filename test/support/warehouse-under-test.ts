/**
 * The warehouse that the tests of the engine use: a DuckDB file, or, in vitest's project `on PostgreSQL`, a database of the
 * one server of that project. Both run the same text of a test; what is about one engine says why it is (`duckdbOnly`).
 */
import pg from 'pg'
import { inject, test } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the server's database `postgres`; absent where warehouses are files. */
    postgresServer?: string
  }
}

const server = inject('postgresServer')

export const kindUnderTest: 'duckdb' | 'postgres' = server === undefined ? 'duckdb' : 'postgres'

/** An address whose engine is that of the warehouses under test; nothing is there. */
export const urlUnderTest =
  server === undefined ? 'duckdb:./warehouse.duckdb' : 'postgres://given-by-each-test/none'

const postgresTypes = {
  BIGINT: 'bigint',
  DOUBLE: 'double precision',
  INTEGER: 'integer',
  VARCHAR: 'text',
} as const

/** The name that the engine under test gives to a type of DuckDB. */
export function typeUnderTest(name: keyof typeof postgresTypes): string {
  return kindUnderTest === 'duckdb' ? name : postgresTypes[name]
}

let made = 0
/** Emptied by tests that are done with them: to make one costs four times as much. */
const spare: string[] = []

/** A new, empty warehouse for the project in this folder. */
export async function freshWarehouse(): Promise<string> {
  if (server === undefined) return urlUnderTest
  const emptied = spare.pop()
  if (emptied !== undefined) return emptied
  const name = `test_${process.pid}_${++made}`
  await ask(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Says that a test has done with its warehouse; who still uses it is disconnected. */
export async function removeWarehouse(url: string): Promise<void> {
  if (server === undefined) return
  await ask(url, empty)
  spare.push(url)
}

const empty = `
  SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid();
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT nspname FROM pg_namespace WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%' LOOP
      EXECUTE format('DROP SCHEMA %I CASCADE', name);
    END LOOP;
    CREATE SCHEMA public;
  END $$`

async function ask(address: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A test that is about something that PostgreSQL does not have; where it is left out, its name says why. */
export function duckdbOnly(reason: string): (name: string, work: () => Promise<void>) => void {
  return (name, work) =>
    kindUnderTest === 'duckdb' ? test(name, work) : test.skip(`${name}, on DuckDB only: ${reason}`, work)
}
