/** A warehouse that tells every statement that it is given, with its time (`run --debug`). Changes nothing else. */
import type { Warehouse, WarehouseSession } from '../warehouse/warehouse.ts'

export interface SqlLogEntry {
  readonly sql: string
  readonly seconds: number
  readonly failed: boolean
}

export type LogSql = (entry: SqlLogEntry) => void

export function loggedWarehouse(warehouse: Warehouse, log: LogSql): Warehouse {
  const open = async (...request: Parameters<Warehouse['open']>) => {
    const session = await warehouse.open(...request)
    return session === undefined ? undefined : loggedSession(session, log)
  }
  return { ...warehouse, open: open as Warehouse['open'] }
}

function loggedSession(session: WarehouseSession, log: LogSql): WarehouseSession {
  return {
    ...session,
    query: (sql, parameters, signal) => timed(log, [sql], () => session.query(sql, parameters, signal)),
    execute: (statements, signal) => timed(log, statements, () => session.execute(statements, signal)),
    transaction: (statements, signal) =>
      timed(
        log,
        statements.map(statement => statement.sql),
        () => session.transaction(statements, signal),
      ),
    build: (tasks, options) =>
      session.build(tasks, {
        ...options,
        onEnd: (task, outcome) => {
          const seconds = outcome.ok ? outcome.result.seconds : outcome.seconds
          log({ sql: task.sql, seconds, failed: !outcome.ok })
          options.onEnd(task, outcome)
        },
      }),
  }
}

async function timed<T>(log: LogSql, statements: readonly string[], work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const tell = (failed: boolean) =>
    log({ sql: statements.join(';\n'), seconds: (performance.now() - started) / 1000, failed })
  try {
    const result = await work()
    tell(false)
    return result
  } catch (error) {
    tell(true)
    throw error
  }
}
