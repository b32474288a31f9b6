/** The connection pool of one session. Each piece of work borrows a connection, which runs one statement at a time. */
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { ofWorld, SvcError } from '../../errors.ts'
import { repeatingAfter } from '../conflicts.ts'
import { codeOf, isConflict } from './failures.ts'

export type Connection = pg.ClientBase

export interface Connections {
  /** Borrows a connection for `work`; an aborted signal cancels its statement and throws `interrupted`. */
  use<T>(work: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Waits for borrowed connections and closes all. Idempotent. */
  close(): Promise<void>
}

export interface ServerAddress {
  readonly connectionString: string
  /** For messages: host and database. */
  readonly label: string
}

const connectMs = 15_000
const cancelEveryMs = 100
const oldestVersion = 150_000

/**
 * Where names without a schema are looked for: nowhere that others may write. A function of a writable `public` would fit
 * a call better than that of the server (`lower(varchar)`), and run as the role of svc.
 */
const searchPath = 'SET search_path TO pg_catalog, pg_temp'

/**
 * Values and literals are written and read in one form, whatever the role's own settings are. A statement whose client was killed ends within
 * seconds, where the server's system can tell: else it works on, and what it locks keeps the next run waiting.
 */
const settings = `${searchPath}; SELECT set_config(name, '2000', false) FROM pg_settings
  WHERE name = 'client_connection_check_interval' AND version() !~* 'visual|mingw|msvc';
  SET TIME ZONE 'UTC'; SET DateStyle TO 'ISO, YMD'; SET IntervalStyle TO 'postgres';
  SET bytea_output TO 'hex'; SET extra_float_digits TO 1; SET client_min_messages TO error; SET jit TO off;
  SET standard_conforming_strings TO on; SET transform_null_equals TO off; SET array_nulls TO on;
  SET quote_all_identifiers TO off; SET xmloption TO content;
  SELECT current_setting('server_version_num')::integer AS version, current_setting('server_version') AS name,
    pg_backend_pid() AS pid`

export function clientOptions({ connectionString }: ServerAddress): pg.ClientConfig {
  return {
    connectionString,
    connectionTimeoutMillis: connectMs,
    application_name: 'svc',
    keepAlive: true,
  }
}

/** Returns the role that connects, as the client itself works it out; '' where the address has no client. */
export function roleOf(address: ServerAddress): string {
  try {
    return new pg.Client(clientOptions(address)).user ?? ''
  } catch {
    // The certificates that it names are not there.
    return ''
  }
}

interface Prepared {
  readonly version: number
  readonly name: string
  readonly pid: number
}

/** Throws SvcError if the server is older than svc works with, or behind a pooler that svc cannot work with. */
export async function prepareConnection(connection: Connection, address: ServerAddress): Promise<void> {
  const results = (await connection.query(settings)) as unknown as readonly pg.QueryResult[]
  const found = results.at(-1)?.rows[0] as Prepared | undefined
  if (found === undefined) throw new Error('the settings of a session have an answer')
  const { version, name, pid } = found
  if (version < oldestVersion) {
    const message = `${address.label} is PostgreSQL ${name}, and svc needs 15 or newer`
    throw new SvcError('warehouse-failed', message, {
      hint: 'Update the server, or name another warehouse in svc.yaml.',
      facts: ofWorld,
    })
  }
  // A pooler answers with a number of its own for the process.
  if (pid !== processOf(connection)) await refuseTransactionPooling(connection, address, pid)
}

/**
 * Settings, temporary tables and the lock of a run belong to a connection of the server. A pooler that gives each transaction
 * another one, as PgBouncer with `pool_mode = transaction`, would leave them to others, and a lease held for ever. It shows
 * when a second client gets the process that the first one has, or the first one gets another.
 */
async function refuseTransactionPooling(
  connection: Connection,
  address: ServerAddress,
  pid: number,
): Promise<void> {
  const others: pg.Client[] = []
  try {
    let isShared = false
    while (others.length < othersAsked && !isShared) {
      const other = new pg.Client(clientOptions(address))
      others.push(other)
      other.on('error', () => undefined)
      await other.connect()
      await other.query('BEGIN')
      isShared = (await backendOf(other)) === pid || (await backendOf(connection)) !== pid
    }
    if (!isShared) return
  } catch {
    // A pool without room for more clients has a session for each.
    return
  } finally {
    for (const other of others) void other.end().catch(() => undefined)
  }
  const message = `${address.label} is behind a pooler that gives each transaction another connection, as PgBouncer does with pool_mode = transaction`
  throw new SvcError('warehouse-failed', message, {
    hint: 'Name the server itself as warehouse, or a pool with pool_mode = session: the locks and settings of a run belong to its connection.',
    facts: ofWorld,
  })
}

/** A pooler that takes its connections by turns may have a free one for a client or two. */
const othersAsked = 3

async function backendOf(connection: Connection): Promise<number | undefined> {
  const { rows } = await connection.query<{ pid: number }>('SELECT pg_catalog.pg_backend_pid() AS pid')
  return rows[0]?.pid
}

/** Opens a pool of at most `size` connections. */
export function openConnections(address: ServerAddress, size: number): Connections {
  const pool = new pg.Pool({ ...clientOptions(address), max: size, idleTimeoutMillis: 0 })
  // A connection that breaks while nothing is asked is replaced by the pool.
  pool.on('error', () => undefined)
  const ready = new WeakSet<Connection>()
  let closing: Promise<void> | undefined

  async function borrow(): Promise<pg.PoolClient> {
    const connection = await pool.connect()
    if (ready.has(connection)) return connection
    try {
      // One that breaks at work says so by the statement that fails.
      connection.on('error', () => undefined)
      await prepareConnection(connection, address)
      ready.add(connection)
      return connection
    } catch (error) {
      connection.release(true)
      throw error
    }
  }

  async function use<T>(work: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw new SvcError('interrupted', 'interrupted')
    const connection = await borrow()
    let isBroken = false
    try {
      // To connect may take long, and an abort meanwhile has no statement to cancel.
      if (signal?.aborted) throw new SvcError('interrupted', 'interrupted')
      return await interruptible(address, connection, signal, () => work(connection))
    } catch (error) {
      isBroken = isLost(error)
      throw error
    } finally {
      connection.release(isBroken)
    }
  }

  return {
    use,
    close: () => (closing ??= pool.end()),
  }
}

/** A connection after an error of the network cannot be used again. */
function isLost(error: unknown): boolean {
  const cause = error instanceof SvcError ? error.cause : error
  const { severity } = (cause ?? {}) as { readonly severity?: string }
  return cause instanceof Error && (severity === undefined || severity === 'FATAL')
}

async function interruptible<T>(
  address: ServerAddress,
  connection: Connection,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return work()
  const ended = new AbortController()
  let cancelling: Promise<void> | undefined
  const cancel = () => {
    cancelling = cancelUntil(address, processOf(connection), ended.signal)
  }
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await work()
  } catch (error) {
    throw signal.aborted ? new SvcError('interrupted', 'interrupted', { cause: error }) : error
  } finally {
    signal.removeEventListener('abort', cancel)
    ended.abort()
    // A late cancellation must not hit the next work of this connection.
    await cancelling
  }
}

function processOf(connection: Connection): number | undefined {
  return (connection as Connection & { readonly processID?: number }).processID
}

/** Between two statements there is nothing to cancel, so it is repeated until the work has ended. */
async function cancelUntil(
  address: ServerAddress,
  process: number | undefined,
  ended: AbortSignal,
): Promise<void> {
  if (process === undefined) return
  const client = new pg.Client(clientOptions(address))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(searchPath)
    while (!ended.aborted) {
      await client.query('SELECT pg_cancel_backend($1)', [process])
      await setTimeout(cancelEveryMs, undefined, { signal: ended }).catch(() => undefined)
    }
  } catch {
    // A server that cannot be asked has ended the statement, or ends it when the connection closes.
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Runs statements in order, inside a transaction, in one message. */
export async function runStatements(connection: Connection, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await connection.query(statements.join('\n;\n'))
}

/** Runs BEGIN, `work`, COMMIT; after a failure ROLLBACK, and throws the same error. */
export async function inTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.query('BEGIN')
  return endingTransaction(connection, work)
}

/** As `inTransaction`, of work that begins the transaction with its own first message. */
export async function endingTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    await commit(connection)
    return result
  } catch (error) {
    await rollback(connection)
    throw error
  }
}

/** A COMMIT of a failed transaction answers well, as a ROLLBACK. */
async function commit(connection: Connection): Promise<void> {
  const { command } = await connection.query('COMMIT')
  if (command !== 'COMMIT') throw new SvcError('warehouse-failed', 'the transaction was not stored')
}

/** Never throws: the caller already has the error that matters. A cancellation may hit the ROLLBACK, which then did its work. */
async function rollback(connection: Connection): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await connection.query('ROLLBACK')
      return
    } catch (error) {
      if (codeOf(error) !== '57014') return
    }
  }
}

export const afterConflicts = repeatingAfter(isConflict)
