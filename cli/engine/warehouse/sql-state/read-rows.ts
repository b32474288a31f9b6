/** Reads rows of the project in a state table, as records. */
import { type OwnedTable, typeOf } from '../../state/tables.ts'
import type { JsonRow } from '../warehouse.ts'
import { stateTable } from './change-statements.ts'
import type { Reading } from './reading.ts'
import { isoTime, selectOf, valueSql } from './table-texts.ts'

export interface RowsWanted {
  /** A condition beside that of the project. */
  readonly where?: string
  readonly orderBy?: string
  readonly limit?: number
  /** JSON stays the text that it is. */
  readonly jsonAsText?: true
}

/** Times become ISO 8601 UTC, and JSON is parsed. */
export async function readRows<Row>(
  reading: Reading,
  table: OwnedTable,
  columns: readonly string[],
  { where = '1 = 1', orderBy, limit, jsonAsText }: RowsWanted = {},
): Promise<Row[]> {
  const order = orderBy === undefined ? '' : ` ORDER BY ${orderBy}`
  const most = limit === undefined ? '' : ` LIMIT ${Math.trunc(limit)}`
  const rows = await reading.access.query(
    `${selectOf(reading, table, columns, valueSql)} FROM ${stateTable(reading.dialect, table)}
     WHERE ${reading.own} AND ${where}${order}${most}`,
  )
  const times = columns.filter(column => typeOf(table, column) === 'timestamp')
  const parsed = columns.filter(column => jsonAsText !== true && typeOf(table, column) === 'json')
  return rows.map(row => decoded(row, times, parsed) as Row)
}

function decoded(row: JsonRow, times: readonly string[], parsed: readonly string[]): JsonRow {
  const values: Record<string, unknown> = { ...row }
  for (const column of times) if (row[column] !== null) values[column] = isoTime(Number(row[column]))
  for (const column of parsed) if (row[column] !== null) values[column] = JSON.parse(String(row[column]))
  return values
}

/** Returns the number of rows of the project. */
export async function countRows({ access, dialect, own }: Reading, table: OwnedTable, where: string) {
  const [row] = await access.query(
    `SELECT count(*) AS n FROM ${stateTable(dialect, table)} WHERE ${own} AND ${where}`,
  )
  return Number(row?.['n'] ?? 0)
}
