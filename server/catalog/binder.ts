/**
 * The in-memory DuckDB behind the catalogue: binds statements, gives their trees, reads columns back. Holds schemas
 * only, never a row; it can reach neither files nor the network. Knows nothing of assets.
 */
import type { Column } from '../language/index.ts'
import { type BindError, readBindError } from './bind-error.ts'
import { quoteLiteral } from './quoting.ts'
import { countRunning } from './running.ts'

export type BindResult = { readonly columns: readonly Column[] } | { readonly error: BindError }

export interface Binder {
  /** Binds one query: its columns, or the first thing wrong with it (positions are those of `sql`). */
  bind(sql: string): Promise<BindResult>
  /** Binds queries together, which is much cheaper; undefined: at least one of them does not bind. */
  bindAll(queries: readonly string[]): Promise<(readonly Column[])[] | undefined>
  /** Runs statements of our own making as one text, in one transaction. */
  run(statements: readonly string[]): Promise<BindError | undefined>
  /** Why a text is no statement; undefined: it parses. Nothing is bound. */
  syntaxError(sql: string): Promise<BindError | undefined>
  rows(sql: string): Promise<readonly (readonly unknown[])[]>
  close(): void
}

/** Raised when the instance is of no use any more: an internal error of DuckDB invalidates it. */
export class BinderLost extends Error {
  /** The statement behind it, where only one was being looked at. */
  sql: string | undefined
}

export interface LazyBinder extends Binder {
  /** Opens it now, in the background: somebody knows that statements will come. */
  begin(): void
}

/** Opened when the first statement comes: where nothing has changed none does. */
export function lazyBinder(load: readonly string[] = []): LazyBinder {
  let opened: Promise<Binder> | undefined
  const binder = (): Promise<Binder> => {
    opened ??= openBinder({ load })
    return opened
  }
  return {
    // What goes wrong here is told to the first who asks something.
    begin: () => void binder().catch(() => undefined),
    bind: async sql => (await binder()).bind(sql),
    bindAll: async queries => (await binder()).bindAll(queries),
    run: async statements => (statements.length === 0 ? undefined : (await binder()).run(statements)),
    syntaxError: async sql => (await binder()).syntaxError(sql),
    rows: async sql => (await binder()).rows(sql),
    close: () =>
      void opened?.then(
        each => each.close(),
        () => undefined,
      ),
  }
}

export interface BinderOptions {
  /** Statements that load extensions of the engine. */
  readonly load?: readonly string[]
}

export async function openBinder({ load = [] }: BinderOptions = {}): Promise<Binder> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', { ...options, ...accessTo(load) })
  const connection = await instance.connect()
  // Files are out of reach from here on, once extensions are read.
  for (const statement of load) await connection.run(statement)
  if (load.length > 0) await connection.run('SET enable_external_access = false')
  await connection.run('SET errors_as_json = true; SET lock_configuration = true')

  const running = countRunning()
  const rows: Rows = sql => running.track(async () => (await connection.runAndReadAll(sql)).getRows())
  return {
    bind: sql => bind(rows, sql),
    bindAll: queries => bindAll(rows, queries),
    run: statements => runAll(sql => running.track(() => connection.run(sql)), statements),
    syntaxError: sql => syntaxError(rows, sql),
    rows: sql => guarded(() => rows(sql)),
    close: () =>
      running.close(() => {
        connection.closeSync()
        instance.closeSync()
      }),
  }
}

type Rows = (sql: string) => Promise<readonly (readonly unknown[])[]>

const options = {
  threads: '1',
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
}

/** An extension is a file, which the engine reads only with access to files. */
export function accessTo(load: readonly string[]): { readonly enable_external_access: 'true' | 'false' } {
  return { enable_external_access: load.length > 0 ? 'true' : 'false' }
}

async function runAll(
  run: (sql: string) => Promise<unknown>,
  statements: readonly string[],
): Promise<BindError | undefined> {
  if (statements.length === 0) return undefined
  try {
    await run(statements.length === 1 ? (statements[0] ?? '') : `BEGIN;${statements.join(';\n')};COMMIT`)
    return undefined
  } catch (error) {
    const bindError = readBindError(error)
    if (bindError.kind === 'fatal') throw new BinderLost(bindError.message)
    if (statements.length > 1) await run('ROLLBACK').catch(() => undefined)
    return bindError
  }
}

/** What the parser says of a text; what it has made of it nobody reads. */
async function syntaxError(rows: Rows, sql: string): Promise<BindError | undefined> {
  const [row] = await guarded(() => rows(`SELECT json_serialize_sql(${quoteLiteral(sql)}, skip_null := true)`))
  const { error, error_type, error_message, position } = JSON.parse(String(row?.[0])) as ParserAnswer
  // Other statements than SELECT parse, but cannot be written down.
  if (error !== true || error_type === 'not implemented') return undefined
  return {
    kind: 'syntax',
    message: error_message ?? '',
    position: position === undefined ? undefined : Number(position),
    subtype: undefined,
    missing: undefined,
    name: undefined,
    call: undefined,
    candidates: undefined,
  }
}

interface ParserAnswer {
  readonly error?: boolean
  readonly error_type?: string
  readonly error_message?: string
  readonly position?: string
}

const bindPrefix = 'SELECT column_name, column_type FROM (DESCRIBE (\n'
const bindSuffix = '\n))'

async function bind(rows: Rows, sql: string): Promise<BindResult> {
  try {
    return { columns: (await rows(bindPrefix + sql + bindSuffix)).map(([name, type]) => column(name, type)) }
  } catch (cause) {
    const error = readBindError(cause)
    if (error.kind === 'fatal') throw new BinderLost(error.message)
    return {
      error: {
        ...error,
        position: error.position === undefined ? undefined : error.position - bindPrefix.length,
      },
    }
  }
}

/** The answer is one JSON text: thousands of single values would cost more than the binding. */
async function bindAll(rows: Rows, queries: readonly string[]): Promise<Column[][] | undefined> {
  if (queries.length === 0) return []
  const parts = queries.map(
    (sql, index) => `SELECT '${index}' AS i, column_name, column_type FROM (DESCRIBE (\n${sql}${bindSuffix}`,
  )
  try {
    const [row] = await rows(
      `SELECT to_json(list([i, column_name, column_type])) FROM (${parts.join(' UNION ALL ')})`,
    )
    return collected(JSON.parse(String(row?.[0])) as [string, string, string][], queries.length)
  } catch (error) {
    if (readBindError(error).kind === 'fatal') throw new BinderLost()
    return undefined
  }
}

function collected(rows: readonly [string, string, string][], count: number): Column[][] {
  const columns = Array.from({ length: count }, (): Column[] => [])
  for (const [index, name, type] of rows) columns[Number(index)]?.push(column(name, type))
  return columns
}

function column(name: unknown, type: unknown): Column {
  return { name: String(name), type: String(type) }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (readBindError(error).kind === 'fatal') throw new BinderLost()
    throw error
  }
}
