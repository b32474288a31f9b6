/**
 * The in-memory DuckDB behind the catalogue: binds statements, gives their trees, reads columns back. Holds schemas
 * only, never a row; it can reach neither files nor the network. Knows nothing of assets.
 */
import type { Column } from '../language/index.ts'
import type { SqlTree } from '../language/lineage/sql-tree.ts'
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
  /** The trees of statements, as JSON text; `full` ones can be turned back into SQL. */
  trees(statements: readonly string[], full?: boolean): Promise<string[]>
  /** SQL of a full tree. */
  textOf(tree: SqlTree): Promise<string | undefined>
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
    trees: async (statements, full) =>
      statements.length === 0 ? [] : (await binder()).trees(statements, full),
    textOf: async tree => (await binder()).textOf(tree),
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

/** Trees come over a connection of their own: they are made while the other one binds. */
export async function openBinder({ load = [] }: BinderOptions = {}): Promise<Binder> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', { ...options, ...accessTo(load) })
  const connection = await instance.connect()
  const parser = await instance.connect()
  // Files are out of reach from here on, once extensions are read.
  for (const statement of load) await connection.run(statement)
  if (load.length > 0) await connection.run('SET enable_external_access = false')
  await connection.run('SET errors_as_json = true; SET lock_configuration = true')

  const running = countRunning()
  const rows: Rows = sql => running.track(async () => (await connection.runAndReadAll(sql)).getRows())
  const parserRows: Rows = sql => running.track(async () => (await parser.runAndReadAll(sql)).getRows())
  return {
    bind: sql => bind(rows, sql),
    bindAll: queries => bindAll(rows, queries),
    run: statements => runAll(sql => running.track(() => connection.run(sql)), statements),
    trees: (statements, full) => serialize(parserRows, statements, full === true),
    textOf: tree => deserialize(parserRows, tree),
    rows: sql => guarded(() => rows(sql)),
    close: () =>
      running.close(() => {
        connection.closeSync()
        parser.closeSync()
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

async function serialize(rows: Rows, statements: readonly string[], full: boolean): Promise<string[]> {
  const flags = full ? 'skip_null := true' : 'skip_null := true, skip_empty := true, skip_default := true'
  const trees: string[] = []
  for (let start = 0; start < statements.length; start += treesPerCall) {
    const values = statements.slice(start, start + treesPerCall).map(sql => `(${quoteLiteral(sql)})`)
    const found = await guarded(() =>
      rows(`SELECT json_serialize_sql(x, ${flags}) FROM (VALUES ${values.join(',')}) t(x)`),
    )
    trees.push(...found.map(row => String(row[0])))
  }
  return trees
}

/** Numbers beyond the safe integers are the parser's "no position": they must not come back rounded. */
async function deserialize(rows: Rows, tree: SqlTree): Promise<string | undefined> {
  const json = JSON.stringify(tree, (key, value: unknown) =>
    key === 'query_location' && typeof value === 'number' && value > Number.MAX_SAFE_INTEGER
      ? undefined
      : value,
  )
  try {
    return String((await rows(`SELECT json_deserialize_sql(${quoteLiteral(json)}::JSON)`))[0]?.[0])
  } catch (error) {
    if (readBindError(error).kind === 'fatal') throw new BinderLost()
    return undefined
  }
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

const treesPerCall = 100

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (readBindError(error).kind === 'fatal') throw new BinderLost()
    throw error
  }
}
