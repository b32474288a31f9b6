/**
 * Whole tables as a few texts, one a column: several times faster than rows of values, which are converted one by one.
 * Only for the tables of `tables.ts`.
 */
import type { Dialect } from '../warehouse/dialect.ts'
import { type ColumnType, type StateTable, stateTables } from './tables.ts'

/** Never in a JSON text, where control characters are escaped. */
const separator = '\u001e'

/** A query for one row: the `columns` of `source` (a table, or a query in brackets), each as one text. */
export function textsQuery(
  dialect: Dialect,
  table: StateTable,
  columns: readonly string[],
  source: string,
): string {
  const texts = columns.map(column => {
    const name = dialect.identifier(column)
    return `${columnText(dialect, name, typeOf(table, column))} AS ${name}`
  })
  return `SELECT ${texts.join(', ')} FROM ${source}`
}

function columnText(dialect: Dialect, name: string, type: ColumnType): string {
  if (type === 'json') return dialect.joinedTexts(dialect.toText(name), separator)
  // The texts of timestamps differ between engines; seconds do not.
  return dialect.jsonList(type === 'timestamp' ? dialect.epochSeconds(name) : name)
}

/** The values behind such texts. Timestamps stay seconds and JSON columns stay text: few of them are ever looked at. */
export interface TableValues {
  readonly count: number
  /** Throws for a column that was not read. */
  at<T>(column: string, index: number): T
}

export function valuesOfTexts(
  texts: Readonly<Record<string, unknown>>,
  table: StateTable,
  columns: readonly string[],
): TableValues {
  const values: Record<string, readonly unknown[]> = {}
  for (const column of columns) values[column] = valuesOf(texts[column], typeOf(table, column))
  const count = values[columns[0] ?? '']?.length ?? 0
  for (const { length } of Object.values(values)) {
    if (length !== count) throw new Error(`the columns of ${table} differ in length`)
  }
  return {
    count,
    at<T>(column: string, index: number): T {
      const list = values[column]
      if (list === undefined) throw new Error(`${table}.${column} was not read`)
      return list[index] as T
    },
  }
}

function valuesOf(text: unknown, type: ColumnType): readonly unknown[] {
  if (typeof text !== 'string') return []
  return type === 'json' ? text.split(separator) : (JSON.parse(text) as unknown[])
}

export function isoTime(epochSeconds: number): string {
  return new Date(Math.round(epochSeconds * 1000)).toISOString()
}

function typeOf(table: StateTable, column: string): ColumnType {
  const types: Readonly<Record<string, ColumnType>> = stateTables[table].columns
  const type = types[column]
  if (type === undefined) throw new Error(`${table} has no column ${column}`)
  return type
}
