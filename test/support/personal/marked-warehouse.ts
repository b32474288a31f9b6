/** A small DuckDB with marked values, in which any set of columns can be given other values. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { type MarkIndex, markIndex } from './find-marks.ts'
import { columnValues } from './marked-values.ts'
import { originKey, quoted, type Table, type TableColumn, tables } from './tables.ts'

export interface Outcome {
  readonly columns: number
  /** One list of texts a column, by row. */
  readonly values: readonly (readonly string[])[]
}

export interface MarkedWarehouse {
  /** `@c` stands for the table `c`, also where a CTE is called so. Undefined: DuckDB refuses it. */
  run(sql: string): Promise<Outcome | undefined>
  /**
   * The same where these columns have the values of the second version, all others those of the first. Not optimised: which
   * table of a join comes first, and with it the order of rows, would depend on the values.
   */
  runChanged(sql: string, origins: ReadonlySet<string>): Promise<Outcome | undefined>
  /** As `runChanged` with nothing changed, but for the rows of every table, which come the other way round. */
  runReversed(sql: string): Promise<Outcome | undefined>
  readonly marks: MarkIndex
  close(): void
}

const versions = [0, 1]
/** Joins of joins of small tables may still grow; nothing is learnt from the rest. */
const mostRows = 400
/** What is built from a value may be as long as it likes: the beginning tells enough. */
const longestText = 2000

export async function openMarkedWarehouse(seed: number): Promise<MarkedWarehouse> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', enable_external_access: 'false' })
  const connection = await instance.connect()
  const changing = await instance.connect()
  await connection.run('CREATE SCHEMA changed; CREATE SCHEMA reversed')
  await changing.run('PRAGMA disable_optimizer')
  for (const table of tables) await connection.run(storedTable(table, seed))
  for (const table of tables)
    await connection.run(
      `CREATE TABLE ${table.name} AS ${versionOf(table, new Set())};
       CREATE VIEW reversed.${table.name} AS ${versionOf(table, new Set())} ORDER BY rowid DESC`,
    )
  let changed: ReadonlySet<string> | undefined
  return {
    marks: markIndex(allMarks(seed)),
    run: sql => outcomeOf(connection, asSql(sql, 'main')),
    async runChanged(sql, origins) {
      for (const table of tables)
        if (changed === undefined || table.columns.some(differs(table, origins, changed)))
          await changing.run(`CREATE OR REPLACE VIEW changed.${table.name} AS ${versionOf(table, origins)}`)
      changed = origins
      return outcomeOf(changing, asSql(sql, 'changed'))
    },
    runReversed: sql => outcomeOf(changing, asSql(sql, 'reversed')),
    close() {
      connection.closeSync()
      changing.closeSync()
      instance.closeSync()
    },
  }
}

function differs(table: Table, one: ReadonlySet<string>, other: ReadonlySet<string>) {
  return (column: TableColumn): boolean => isIn(one, table, column) !== isIn(other, table, column)
}

function isIn(origins: ReadonlySet<string>, table: Table, column: TableColumn): boolean {
  return origins.has(originKey(table.name, column.name))
}

/** Both versions of every column side by side. */
function storedTable(table: Table, seed: number): string {
  const parts = table.columns.flatMap(column =>
    versions.map(version => ({ column, version, values: columnValues(table, column, seed, version) })),
  )
  const definitions = parts.map(({ column, version }) => `${storedName(column, version)} ${column.type}`)
  const rows = Array.from({ length: table.rows }, (_, row) =>
    parts.map(({ values }) => values[row]?.sql ?? 'NULL').join(', '),
  )
  return `CREATE TABLE stored_${table.name} (${definitions.join(', ')});
    INSERT INTO stored_${table.name} VALUES ${rows.map(row => `(${row})`).join(', ')}`
}

function storedName(column: TableColumn, version: number): string {
  return quoted(`${column.name === 'é' ? 'e acute' : column.name} ${version}`)
}

function versionOf(table: Table, changed: ReadonlySet<string>): string {
  const columns = table.columns.map(column => {
    const version = isIn(changed, table, column) ? 1 : 0
    return `${storedName(column, version)} AS ${quoted(column.name)}`
  })
  return `SELECT ${columns.join(', ')} FROM main.stored_${table.name}`
}

function* allMarks(seed: number): Iterable<readonly [string, string]> {
  for (const table of tables)
    for (const column of table.columns)
      for (const version of versions)
        for (const { marks } of columnValues(table, column, seed, version))
          for (const mark of marks) yield [mark, originKey(table.name, column.name)]
}

function asSql(sql: string, schema: string): string {
  return sql.replaceAll(/@([a-z]+)\b/g, `${schema}.$1`)
}

async function outcomeOf(connection: DuckDBConnection, sql: string): Promise<Outcome | undefined> {
  try {
    const result = await connection.runAndReadUntil(sql, mostRows)
    const columns = result.getColumns()
    return {
      columns: result.columnCount,
      values: columns.map(values => values.slice(0, mostRows).map(textOf)),
    }
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  return String(value).slice(0, longestText)
}
