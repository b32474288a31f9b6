/**
 * Reads whole tables as a few texts, one per column: for 1,000 assets with 3,000 builds and 2,000 test
 * results this takes half the time of reading rows, whose values are converted one by one (50 ms of CPU
 * instead of 100). Few rows are read as rows, because the query is planned faster. Only for state tables.
 */
import { type ColumnType, type OwnedTable, typeOf } from '../../state/tables.ts'
import { stateTable } from './change-statements.ts'
import { columnSql, type Reading } from './reading.ts'
import type { StateDialect } from './state-dialect.ts'

/** This never occurs in JSON text, where control characters are escaped. */
const separator = '\u001e'

/**
 * The values of columns that were read, decoded by column on access. Timestamps stay seconds and JSON columns stay text,
 * because few of them are ever used.
 */
export interface TableValues {
  /** Throws for a column that was not read. */
  column<T>(name: string): readonly T[]
}

/** Reads the rows of the project. */
export async function readTable(
  reading: Reading,
  table: OwnedTable,
  columns: readonly string[],
  condition = '1 = 1',
): Promise<TableValues> {
  const { access, dialect, own } = reading
  const from = `${stateTable(dialect, table)} WHERE ${own} AND ${condition}`
  if (dialect.fewRows > 0) {
    const select = selectOf(reading, table, columns, valueSql)
    const rows = await access.query(`${select} FROM ${from} LIMIT ${dialect.fewRows + 1}`)
    if (rows.length <= dialect.fewRows) return tableValues(table, columns, name => rows.map(row => row[name]))
  }
  const [texts = {}] = await access.query(`${selectOf(reading, table, columns, textSql)} FROM ${from}`)
  return tableValues(table, columns, name => valuesOf(texts[name], typeOf(table, name)))
}

export function selectOf(
  reading: Reading,
  table: OwnedTable,
  columns: readonly string[],
  expressionOf: (dialect: StateDialect, sql: string, type: ColumnType) => string,
): string {
  const { dialect } = reading
  const values = columns.map(column => {
    const expression = expressionOf(dialect, columnSql(reading, table, column), typeOf(table, column))
    return `${expression} AS ${dialect.identifier(column)}`
  })
  return `SELECT ${values.join(', ')}`
}

/** Timestamps are read as seconds, because their text differs between engines. */
export function valueSql(dialect: StateDialect, sql: string, type: ColumnType): string {
  if (type === 'timestamp') return dialect.epochSeconds(sql)
  return type === 'json' ? dialect.toText(sql) : sql
}

/** Returns an aggregate: the values of all rows as one text. */
function textSql(dialect: StateDialect, sql: string, type: ColumnType): string {
  const value = valueSql(dialect, sql, type)
  return type === 'json' ? dialect.joinedTexts(value, separator) : dialect.jsonList(value)
}

function tableValues(
  table: OwnedTable,
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
  return { column: <T>(name: string) => (values.get(name) ?? read(name)) as readonly T[] }
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
