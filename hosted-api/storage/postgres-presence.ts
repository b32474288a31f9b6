/**
 * Servers show their presence on a PostgreSQL database by a shared advisory lock, so that a restore, which takes it
 * exclusively, is refused while one runs. The lock belongs to the schema and ends with its connection.
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { FileInUse } from './file-lock.ts'

/** An arbitrary number, the same for all versions. */
const lockClass = 7_421_762
const lockKeys = `${lockClass}, hashtext(current_schema())`

/** In milliseconds. */
const retryEvery = 1000

/**
 * Returns the function that ends the presence.
 * @throws FileInUse while a restore runs
 */
export async function showPresence(address: string): Promise<() => Promise<void>> {
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

/**
 * For a restore; the lock ends with the connection.
 * @throws FileInUse while a server runs
 */
export async function requireAlone(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${lockKeys}) as taken`)
  if (rows[0]?.taken === true) return
  throw new FileInUse('a svc-hosted serves this database; stop all servers on it first')
}
