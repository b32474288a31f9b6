/**
 * Reads whole tables as a few texts, one per column: for 1,000 assets with 3,000 builds and 2,000 test
 * results this takes half the time of reading rows, whose values are converted one by one (50 ms of CPU
 * instead of 100). Few rows are read as rows, because the query is planned faster. Only for state tables.
 */
import { type ColumnType, type StateTable, typeOf } from '../../state/tables.ts'
import type { JsonRow } from '../warehouse.ts'
import type { StateDialect } from './state-dialect.ts'

/** This never occurs in JSON text, where control characters are escaped. */
const separator = '\u001e'

/**
 * Returns a query for one row: the `columns` of `source` (a table, or a query in brackets), each as one text.
 * `sqlOf` returns the SQL of a column.
 */
export function textsQuery(
  dialect: StateDialect,
  table: StateTable,
  columns: readonly string[],
  source: string,
  sqlOf: (column: string) => string = dialect.identifier,
): string {
  return selectOf(dialect, columns, source, column =>
    columnText(dialect, sqlOf(column), typeOf(table, column)),
  )
}

/** As `textsQuery`, for its first rows, with the values that the texts have. */
export function rowsQuery(
  dialect: StateDialect,
  table: StateTable,
  columns: readonly string[],
  source: string,
  sqlOf: (column: string) => string,
): string {
  const select = selectOf(dialect, columns, source, column => {
    const type = typeOf(table, column)
    const sql = type === 'timestamp' ? dialect.epochSeconds(sqlOf(column)) : sqlOf(column)
    return type === 'json' ? dialect.toText(sql) : sql
  })
  return `${select} LIMIT ${dialect.fewRows + 1}`
}

function selectOf(
  dialect: StateDialect,
  columns: readonly string[],
  source: string,
  expressionOf: (column: string) => string,
): string {
  const values = columns.map(column => `${expressionOf(column)} AS ${dialect.identifier(column)}`)
  return `SELECT ${values.join(', ')} FROM ${source}`
}

function columnText(dialect: StateDialect, name: string, type: ColumnType): string {
  if (type === 'json') return dialect.joinedTexts(dialect.toText(name), separator)
  // Timestamps are read as seconds, because their text differs between engines.
  return dialect.jsonList(type === 'timestamp' ? dialect.epochSeconds(name) : name)
}

/**
 * The values of such texts or rows, decoded by column on access. Timestamps stay seconds and JSON columns stay text,
 * because few of them are ever used.
 */
export interface TableValues {
  readonly count: number
  /** Throws for a column that was not read. */
  column<T>(name: string): readonly T[]
}

export function valuesOfTexts(
  texts: Readonly<Record<string, unknown>>,
  table: StateTable,
  columns: readonly string[],
): TableValues {
  return tableValues(table, columns, name => valuesOf(texts[name], typeOf(table, name)))
}

export function valuesOfRows(
  rows: readonly JsonRow[],
  table: StateTable,
  columns: readonly string[],
): TableValues {
  return tableValues(table, columns, name => rows.map(row => row[name]))
}

function tableValues(
  table: StateTable,
  columns: readonly string[],
  listOf: (name: string) => readonly unknown[],
): TableValues {
  const values = new Map<string, readonly unknown[]>()
  let length: number | undefined
  const read = (name: string): readonly unknown[] => {
    if (!columns.includes(name)) throw new Error(`${table}.${name} was not read`)
    const list = listOf(name)
    length ??= list.length
    if (list.length !== length) throw new Error(`the columns of ${table} differ in length`)
    values.set(name, list)
    return list
  }
  const column = <T>(name: string) => (values.get(name) ?? read(name)) as readonly T[]
  return {
    get count() {
      return length ?? column(columns[0] ?? '').length
    },
    column,
  }
}

/**
 * Returns a query for one row with two texts: all keys, and all texts that belong to them. It ends before
 * FROM.
 */
export function keyedTextsQuery(dialect: StateDialect, key: string, text: string): string {
  return `SELECT ${dialect.jsonList(key)} AS keys, ${dialect.jsonList(text)} AS texts`
}

/** The texts are decoded on first access. */
export function keyedTexts(row: Readonly<Record<string, unknown>>): (key: string) => string | undefined {
  let byKey: ReadonlyMap<string, string> | undefined
  return key => {
    byKey ??= pairsOf(valuesOf(row['keys'], 'text'), valuesOf(row['texts'], 'text'))
    return byKey.get(key)
  }
}

function pairsOf(keys: readonly unknown[], texts: readonly unknown[]): Map<string, string> {
  return new Map(keys.map((key, index) => [String(key), String(texts[index])]))
}

function valuesOf(text: unknown, type: ColumnType): readonly unknown[] {
  if (typeof text !== 'string') return []
  return type === 'json' ? text.split(separator) : (JSON.parse(text) as unknown[])
}

export function isoTime(epochSeconds: number): string {
  return new Date(Math.round(epochSeconds * 1000)).toISOString()
}
