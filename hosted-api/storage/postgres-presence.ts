/**
 * Servers show their presence on a PostgreSQL database by a shared advisory lock, so that a restore, which takes it
 * exclusively, is refused while one runs. The lock belongs to the schema and ends with its connection, as does another one
 * by which each server shows its name.
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { FileInUse } from './file-lock.ts'
import { isServerName } from './presence.ts'
import type { Queries } from './storage.ts'

/** An arbitrary number, the same for all versions. */
const lockClass = 7_421_762
const lockKeys = `${lockClass}, hashtext(current_schema())`

/** The same for the locks by which a server shows its name. */
const nameClass = 7_421_763

/** In milliseconds. */
const retryEvery = 1000

/**
 * Returns the function that ends the presence.
 * @throws FileInUse while a restore runs
 */
export async function showPresence(address: string, server: string): Promise<() => Promise<void>> {
  let isEnded = false
  let client: pg.Client | undefined

  async function take(): Promise<void> {
    const fresh = new pg.Client({ connectionString: address, connectionTimeoutMillis: 5000, keepAlive: true })
    fresh.on('error', () => {})
    await fresh.connect()
    const { rows } = await fresh.query(`select pg_try_advisory_lock_shared(${lockKeys}) as taken`)
    if (rows[0]?.taken !== true) {
      await fresh.end()
      throw new FileInUse('a restore runs on this database: start again when it is done')
    }
    await fresh.query(`select pg_advisory_lock_shared(${nameClass}, hashtext($1))`, [server])
    client = fresh
    fresh.once('end', () => {
      if (!isEnded) void takeAgain()
    })
  }

  /** After the database server was restarted. */
  async function takeAgain(): Promise<void> {
    while (!isEnded) {
      await wait(retryEvery, undefined, { ref: false })
      const taken = await take().then(
        () => true,
        () => false,
      )
      if (taken) break
    }
    if (isEnded) await client?.end().catch(() => {})
  }

  await take()
  return async () => {
    isEnded = true
    await client?.end().catch(() => {})
  }
}

/** A server that was killed has lost its connection, and its locks with it. Earlier versions showed no name. */
export async function isServing(queries: Queries, server: string): Promise<boolean | undefined> {
  if (!isServerName(server)) return undefined
  const row = await queries.first(
    `select 1 as one from pg_locks where locktype = 'advisory' and classid = ${nameClass}
      and objid = (hashtext(?)::bigint & 4294967295)::oid and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database()) limit 1`,
    [server],
  )
  return row !== undefined
}

/**
 * For a restore; the lock ends with the connection.
 * @throws FileInUse while a server runs
 */
export async function requireAlone(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${lockKeys}) as taken`)
  if (rows[0]?.taken === true) return
  throw new FileInUse('a svc-hosted serves this database; stop all servers on it first')
}
