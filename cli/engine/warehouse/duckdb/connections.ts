/**
 * The connection pool of one session. DuckDB runs one statement per connection at a time, so each piece of
 * work borrows one.
 */
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { SvcError } from '../../errors.ts'
import { repeatingAfter } from '../conflicts.ts'
import { isConflict, isInterrupt } from './failures.ts'

export interface Connections {
  /** Borrows a connection for `work`; an aborted signal interrupts its statement and throws `interrupted`. */
  use<T>(work: (connection: DuckDBConnection) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Waits for borrowed connections and closes all. Idempotent. */
  close(): Promise<void>
}

/** Opens a pool of at most `size` connections. */
export function openConnections(instance: DuckDBInstance, size: number): Connections {
  const idle: DuckDBConnection[] = []
  const waiting: (() => void)[] = []
  const working = new Set<Promise<unknown>>()
  let opened = 0

  async function borrow(): Promise<DuckDBConnection> {
    for (;;) {
      const connection = idle.pop()
      if (connection) return connection
      if (opened < size) {
        opened += 1
        return instance.connect()
      }
      await new Promise<void>(resolve => waiting.push(resolve))
    }
  }

  function giveBack(connection: DuckDBConnection): void {
    idle.push(connection)
    waiting.shift()?.()
  }

  async function work<T>(task: (connection: DuckDBConnection) => Promise<T>, signal?: AbortSignal) {
    const connection = await borrow()
    try {
      return await interruptible(connection, signal, () => task(connection))
    } finally {
      giveBack(connection)
    }
  }

  function use<T>(task: (connection: DuckDBConnection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const job = work(task, signal)
    working.add(job)
    const forget = () => working.delete(job)
    job.then(forget, forget)
    return job
  }

  async function close(): Promise<void> {
    while (working.size > 0) await Promise.allSettled(working)
    for (const connection of idle.splice(0)) connection.closeSync()
  }

  return { use, close }
}

async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return work()
  if (signal.aborted) throw new SvcError('interrupted', 'interrupted')
  let again: NodeJS.Timeout | undefined
  // An interrupt between two statements has no effect, so it is repeated until the work ends.
  const interrupt = () => {
    connection.interrupt()
    again = setInterval(() => connection.interrupt(), 20)
  }
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    return await work()
  } catch (error) {
    throw signal.aborted ? new SvcError('interrupted', 'interrupted', { cause: error }) : error
  } finally {
    signal.removeEventListener('abort', interrupt)
    clearInterval(again)
  }
}

/** Runs statements in order, in one call. */
export async function runStatements(
  connection: DuckDBConnection,
  statements: readonly string[],
): Promise<void> {
  if (statements.length > 0) await connection.run(statements.join('\n;\n'))
}

/**
 * Runs BEGIN, `work`, COMMIT; after a failure ROLLBACK, and throws the same error. DuckDB's COMMIT of an
 * aborted transaction succeeds and stores nothing, so a statement that an aborted transaction refuses is run
 * before it.
 */
export async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN TRANSACTION')
  try {
    const result = await work()
    await connection.run('SELECT 1; COMMIT')
    return result
  } catch (error) {
    await rollback(connection)
    throw error
  }
}

export const afterConflicts = repeatingAfter(isConflict)

/**
 * Never throws: the caller already has the error that matters, and a broken connection refuses its next
 * BEGIN.
 */
async function rollback(connection: DuckDBConnection): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      await connection.run('ROLLBACK')
      return
    } catch (error) {
      // Interrupts are repeated and may hit the ROLLBACK; a failed COMMIT has already ended the transaction.
      if (!isInterrupt(error)) return
    }
  }
}
