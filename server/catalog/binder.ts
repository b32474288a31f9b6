/**
 * The in-memory DuckDB behind the catalogue: binds statements, gives their trees, reads columns back. Holds schemas
 * only, never a row; it can reach neither files nor the network. Knows nothing of assets.
 */
import type { Column } from '../language/index.ts'
import type { SqlTree } from '../language/lineage/sql-tree.ts'
import { type BindError, readBindError } from './bind-error.ts'
import { quoteLiteral } from './quoting.ts'

export interface Binder {
  /** Runs statements of our own making as one text, in one transaction. */
  run(statements: readonly string[]): Promise<BindError | undefined>
  /** The trees of statements, as JSON text; `full` ones can be turned back into SQL. */
  trees(statements: readonly string[], full?: boolean): Promise<string[]>
  /** SQL of a full tree. */
  textOf(tree: SqlTree): Promise<string | undefined>
  /** Columns of tables given as quoted, qualified names, in the same order. */
  describe(tables: readonly string[]): Promise<Column[][]>
  rows(sql: string): Promise<readonly (readonly unknown[])[]>
  close(): void
}

/** Raised when the instance is of no use any more: an internal error of DuckDB invalidates it. */
export class BinderLost extends Error {}

const treesPerCall = 100

export async function openBinder(): Promise<Binder> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', options)
  const connection = await instance.connect()
  await connection.run('SET errors_as_json = true; SET lock_configuration = true')

  const rows: Binder['rows'] = async sql => (await connection.runAndReadAll(sql)).getRows()
  return {
    run: statements => runAll(sql => connection.run(sql), statements),
    trees: (statements, full) => serialize(rows, statements, full === true),
    textOf: tree => deserialize(rows, tree),
    describe: tables => describe(rows, tables),
    rows,
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

const options = {
  threads: '1',
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
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

async function serialize(
  rows: Binder['rows'],
  statements: readonly string[],
  full: boolean,
): Promise<string[]> {
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
async function deserialize(rows: Binder['rows'], tree: SqlTree): Promise<string | undefined> {
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

/** Few tables are described by name; many are cheaper to find among all. */
async function describe(rows: Binder['rows'], tables: readonly string[]): Promise<Column[][]> {
  if (tables.length === 0) return []
  const columns: Column[][] = tables.map(() => [])
  for (const [table, name, type] of await guarded(() => rows(describeSql(tables)))) {
    columns[Number(table)]?.push({ name: String(name), type: String(type) })
  }
  return columns
}

function describeSql(tables: readonly string[]): string {
  return tables
    .map((table, index) => `SELECT ${index}, column_name, column_type FROM (DESCRIBE ${table})`)
    .join(' UNION ALL ')
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (readBindError(error).kind === 'fatal') throw new BinderLost()
    throw error
  }
}
