/**
 * The catalogue's in-memory DuckDB, inside the worker process: binds statements, parses them, describes their
 * columns. It holds schemas and never a row, has no access to files or the network, and does not know assets.
 */
import { label } from '../../language/engines/duckdb/label.ts'
import type { Column } from '../../language/index.ts'
import { type BindError, bindError } from '../bind-error.ts'
import type { BindResult } from '../binder.ts'
import { throwIfLost } from '../limits.ts'
import { callByName, type Methods } from '../worker/call-by-name.ts'
import type { OpenDatabase } from '../worker/databases.ts'
import { boundCasts, markedCasts } from './bound-casts.ts'
import { functionNames } from './function-names.ts'
import { openMemoryDatabase } from './memory-database.ts'
import { quoteLiteral } from './quoting.ts'
import { isTooDeep, readBindError } from './read-bind-error.ts'

export async function openBinderDatabase(
  memoryBytes: number,
  load: readonly string[],
): Promise<OpenDatabase> {
  const connection = await openMemoryDatabase(memoryBytes, load, setUp)
  const rows: Rows = async sql => (await connection.runAndReadAll(sql)).getRows()
  const methods: Methods = {
    bind: (sql: string) => bind(rows, sql),
    bindAll: (queries: readonly string[]) => bindAll(rows, queries),
    run: (statements: readonly string[]) => runAll(sql => connection.run(sql), statements),
    syntaxError: (sql: string) => syntaxError(rows, sql),
    boundCasts: (statements: readonly string[]) => boundCasts(rows, statements),
    markedCasts: (sql: string) => markedCasts(rows, sql),
    plan: (sql: string) => plan(async () => (await connection.prepare(sql)).destroySync()),
    functionNames: () => functionNames(rows),
    rows: async (sql: string) => (await rows(sql)).map(row => row.map(plainValue)),
  }
  return {
    engine: label,
    call: callByName(methods),
    interrupt: () => connection.interrupt(),
  }
}

type Rows = (sql: string) => Promise<readonly (readonly unknown[])[]>

/** The first of the plans that EXPLAIN shows has every cast; later ones have lost those of columns that nothing reads. */
const setUp = ['SET errors_as_json = true', "SET explain_output = 'all'", 'SET lock_configuration = true']

async function runAll(
  run: (sql: string) => Promise<unknown>,
  statements: readonly string[],
): Promise<BindError | undefined> {
  if (statements.length === 0) return undefined
  try {
    await run(statements.length === 1 ? (statements[0] ?? '') : `BEGIN;${statements.join(';\n')};COMMIT`)
    return undefined
  } catch (error) {
    const found = readBindError(error)
    throwIfLost(found)
    if (statements.length > 1) await run('ROLLBACK').catch(() => undefined)
    return found
  }
}

/** Returns the parser's error. The tree that it makes is not used. */
async function syntaxError(rows: Rows, sql: string): Promise<BindError | undefined> {
  const [row] = await guarded(() =>
    rows(`SELECT json_serialize_sql(${quoteLiteral(sql)}, skip_null := true)`),
  )
  const { error, error_type, error_message, position } = JSON.parse(String(row?.[0])) as ParserAnswer
  // Statements other than SELECT parse, but DuckDB cannot serialize them.
  if (error !== true || error_type === 'not implemented') return undefined
  const kind = isTooDeep(error_message) ? 'too-deep' : 'syntax'
  return bindError(kind, error_message ?? '', position === undefined ? undefined : Number(position))
}

interface ParserAnswer {
  readonly error?: boolean
  readonly error_type?: string
  readonly error_message?: string
  readonly position?: string
}

/** What fails here fails for another reason, such as a constant that cannot be worked out, and where it is run. */
async function plan(prepare: () => Promise<void>): Promise<undefined> {
  try {
    await prepare()
  } catch (error) {
    throwIfLost(readBindError(error))
  }
}

const bindPrefix = 'SELECT column_name, column_type FROM (DESCRIBE (\n'
const bindSuffix = '\n))'

async function bind(rows: Rows, sql: string): Promise<BindResult> {
  try {
    return { columns: (await rows(bindPrefix + sql + bindSuffix)).map(([name, type]) => column(name, type)) }
  } catch (cause) {
    const error = readBindError(cause)
    throwIfLost(error)
    return {
      error: {
        ...error,
        position: error.position === undefined ? undefined : error.position - bindPrefix.length,
      },
    }
  }
}

/**
 * Binds the queries in one statement that returns one JSON text: reading thousands of single values would
 * cost more than the binding.
 */
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
    throwIfLost(readBindError(error))
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

function plainValue(value: unknown): unknown {
  return value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
    ? value
    : String(value)
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throwIfLost(readBindError(error))
    throw error
  }
}
