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
  /** Undefined: DuckDB refuses it. */
  run(sql: string): Promise<Outcome | undefined>
  /** These columns have the values of the second version from now on, all others those of the first. */
  change(origins: ReadonlySet<string>): Promise<void>
  readonly marks: MarkIndex
  close(): void
}

const versions = [0, 1]
/** Joins of joins of small tables may still grow; nothing is learnt from the rest. */
const mostRows = 400
const longestText = 2000

export async function openMarkedWarehouse(seed: number): Promise<MarkedWarehouse> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', enable_external_access: 'false' })
  const connection = await instance.connect()
  for (const table of tables) await connection.run(storedTable(table, seed))
  for (const table of tables) await connection.run(viewOf(table, new Set()))
  let changed: ReadonlySet<string> = new Set()
  return {
    marks: markIndex(allMarks(seed)),
    run: sql => outcomeOf(connection, sql),
    async change(origins) {
      for (const table of tables)
        if (table.columns.some(column => isIn(origins, table, column) !== isIn(changed, table, column)))
          await connection.run(viewOf(table, origins))
      changed = origins
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
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

function viewOf(table: Table, changed: ReadonlySet<string>): string {
  const columns = table.columns.map(column => {
    const version = isIn(changed, table, column) ? 1 : 0
    return `${storedName(column, version)} AS ${quoted(column.name)}`
  })
  return `CREATE OR REPLACE VIEW ${table.name} AS SELECT ${columns.join(', ')} FROM stored_${table.name}`
}

function* allMarks(seed: number): Iterable<readonly [string, string]> {
  for (const table of tables)
    for (const column of table.columns)
      for (const version of versions)
        for (const { marks } of columnValues(table, column, seed, version))
          for (const mark of marks) yield [mark, originKey(table.name, column.name)]
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

/** What is built from a value may be as long as it likes: the beginning tells enough. */
function textOf(value: unknown): string {
  return String(value).slice(0, longestText)
}
