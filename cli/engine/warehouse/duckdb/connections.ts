/**
 * The connection pool of one session. DuckDB runs one statement per connection at a time, so each piece of
 * work borrows one.
 */
import { setTimeout } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBInstance, DuckDBMaterializedResult } from '@duckdb/node-api'
import { SvcError } from '../../errors.ts'
import type { Statement } from '../warehouse.ts'
import { isConflict, isInterrupt } from './failures.ts'
import { bindValues } from './values.ts'

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

/** Runs statements in order; consecutive statements without parameters go in one call. */
export async function runStatements(
  connection: DuckDBConnection,
  statements: readonly Statement[],
): Promise<void> {
  let script: string[] = []
  const flush = async () => {
    if (script.length > 0) await connection.run(script.join('\n;\n'))
    script = []
  }
  for (const { sql, parameters } of statements) {
    if (parameters === undefined || parameters.length === 0) {
      script.push(sql)
      continue
    }
    await flush()
    await runBound(connection, sql, parameters)
  }
  await flush()
}

export function runBound(
  connection: DuckDBConnection,
  sql: string,
  parameters: Statement['parameters'] = [],
): Promise<DuckDBMaterializedResult> {
  if (parameters.length === 0) return connection.run(sql)
  const { values, types } = bindValues(parameters)
  return connection.run(sql, values, types)
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

const conflictPausesMs = [2, 5, 10, 20, 40, 80, 160, 320]

/** Repeats `work` after a conflict with another transaction of this process, which has ended by then. */
export async function afterConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (const pauseMs of conflictPausesMs) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error)) throw error
      await setTimeout(pauseMs)
    }
  }
  return work()
}

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
