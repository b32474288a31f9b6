/**
 * Wraps a warehouse and logs everything that it does, with duration and rows (for `--debug` and the log of a
 * run). Operations without SQL are logged as a comment. Changes nothing else.
 */
import type {
  JsonRow,
  PointerChange,
  Promotion,
  StateAccess,
  Warehouse,
  WarehouseSession,
} from '../warehouse/warehouse.ts'

export interface SqlLogEntry {
  readonly sql: string
  readonly seconds: number
  /** The rows that a query returned, or the rows in a new table. */
  readonly rows?: number
  readonly failed: boolean
}

export type LogSql = (entry: SqlLogEntry) => void

export function loggedWarehouse(warehouse: Warehouse, log: LogSql): Warehouse {
  const open = async (...request: Parameters<Warehouse['open']>) => {
    const session = await warehouse.open(...request)
    return session === undefined ? undefined : loggedSession(session, warehouse, log)
  }
  const ofProject = (project: string) => loggedWarehouse(warehouse.ofProject(project), log)
  return { ...warehouse, ofProject, open: open as Warehouse['open'] }
}

function loggedSession(session: WarehouseSession, warehouse: Warehouse, log: LogSql): WarehouseSession {
  const told = <T>(words: string, work: () => Promise<T>) => timed(log, [`-- ${words}`], work)
  const access: StateAccess = {
    relations: session.relations,
    query: loggedQuery(session.query, log),
    transaction: (statements, signal) =>
      timed(log, statements, () => session.transaction(statements, signal)),
  }
  return {
    ...session,
    ...access,
    state: warehouse.stateOf({
      ...access,
      transaction: (statements, signal) =>
        timed(log, statements.map(withoutRows), () => session.transaction(statements, signal)),
    }),
    beside: loggedBeside(session.beside, log),
    execute: (statements, signal) => timed(log, statements, () => session.execute(statements, signal)),
    describe: sql => timed(log, [`DESCRIBE ${sql}`], () => session.describe(sql)),
    createSchema: schema => told(`create schema ${schema}`, () => session.createSchema(schema)),
    dropSchema: schema => told(`drop schema ${schema}`, () => session.dropSchema(schema)),
    dropRelations: relations =>
      told(`drop ${relations.map(({ relation }) => `${relation.schema}.${relation.name}`).join(', ')}`, () =>
        session.dropRelations(relations),
      ),
    build: (task, options) =>
      session.build(task, {
        ...options,
        onEnd: (ended, outcome) => {
          const seconds = outcome.ok ? outcome.result.seconds : outcome.seconds
          const rows = outcome.ok ? outcome.result.rows : undefined
          const target = `-- ${ended.kind} ${ended.target.schema}.${ended.target.name}\n`
          log({
            sql: target + ended.sql,
            seconds,
            ...(rows === undefined ? {} : { rows }),
            failed: !outcome.ok,
          })
          options.onEnd(ended, outcome)
        },
      }),
    export: (rows, path, signal) =>
      timed(log, ['sql' in rows ? `-- export\n${rows.sql}` : `-- export of ${rows.table}`], () =>
        session.export(rows, path, signal),
      ),
    append: (changes, files) => told('rows of files into state tables', () => session.append(changes, files)),
    promotion: loggedPromotion(session.promotion, told),
  }
}

/**
 * Returns a statement of the state as it may be told. The rows that are written have records that a contract rejected, rows that
 * a target refused, definitions with their rows: whatever becomes of the statement, they are nobody's to read in a log. What
 * is in front of them are the table and the columns, which are svc's own.
 */
export function withoutRows(sql: string): string {
  const [written] = /^\s*(?:INSERT INTO [^(]*\([^)]*\)|UPDATE \S+ SET)/.exec(sql) ?? []
  if (written !== undefined) return `${written} …`
  return /^\s*(?:INSERT|UPDATE|MERGE|COPY)\b/i.test(sql) ? '-- rows into state tables' : sql
}

function loggedQuery(query: WarehouseSession['query'], log: LogSql): WarehouseSession['query'] {
  return <Row extends JsonRow>(sql: string, signal?: AbortSignal) =>
    timed(
      log,
      [sql],
      () => query<Row>(sql, signal),
      rows => rows.length,
    )
}

function loggedBeside(beside: WarehouseSession['beside'], log: LogSql): WarehouseSession['beside'] {
  return async (table, work, signal) => {
    const started = performance.now()
    let isMade = false
    const tell = (failed: boolean) =>
      log({
        sql: `CREATE TEMPORARY TABLE ${table.name} AS\n${table.sql}`,
        seconds: (performance.now() - started) / 1000,
        failed,
      })
    const made: typeof work = query => {
      isMade = true
      tell(false)
      return work(loggedQuery(query, log))
    }
    try {
      return await beside(table, made, signal)
    } catch (error) {
      if (!isMade) tell(true)
      throw error
    }
  }
}

function loggedPromotion(
  promotion: Promotion,
  told: <T>(words: string, work: () => Promise<T>) => Promise<T>,
): Promotion {
  return {
    ...promotion,
    prepare: (change, tell) =>
      told(`prepare promotion of run ${change.runId}`, () => promotion.prepare(change, tell)),
    flip: (change, tell) => told(flipText(change), () => promotion.flip(change, tell)),
  }
}

/** `flip dev from generation 3 to 4: analytics.orders -> svc_g_….orders; drop analytics.old` */
function flipText({ environment, fromGeneration, toGeneration, views, drops }: PointerChange): string {
  const moves = [
    ...views.map(({ view, target }) => `${view.schema}.${view.name} -> ${target.schema}.${target.name}`),
    ...drops.map(({ schema, name }) => `drop ${schema}.${name}`),
  ]
  return `flip ${environment} from generation ${fromGeneration} to ${toGeneration}: ${moves.join('; ')}`
}

async function timed<T>(
  log: LogSql,
  statements: readonly string[],
  work: () => Promise<T>,
  rowsOf?: (result: T) => number,
): Promise<T> {
  const started = performance.now()
  const tell = (failed: boolean, rows?: number) =>
    log({
      sql: statements.join(';\n'),
      seconds: (performance.now() - started) / 1000,
      ...(rows === undefined ? {} : { rows }),
      failed,
    })
  try {
    const result = await work()
    tell(false, rowsOf?.(result))
    return result
  } catch (error) {
    tell(true)
    throw error
  }
}
