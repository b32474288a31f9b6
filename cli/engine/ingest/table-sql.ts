/**
 * Builds the SELECT of each raw table over the records of a source. A flat source is one plain SELECT, so
 * that it loads at DuckDB's full speed; keys and row numbers are added only if child tables need them.
 */
import { quoteLiteral, quoteName } from '@svc/server/catalog'
import {
  type Engine,
  findColumn,
  internalName,
  isValidity,
  listStep,
  type RawColumn,
  type RawTable,
  validFrom,
} from '@svc/server/language'
import { columnType } from './conversion.ts'
import { limitedRecords, recordName } from './record-names.ts'
import { type RecordSource, typeAt } from './record-source.ts'

/** In a child table, the element that a row comes from. */
const elementName = internalName('element')
const childName = internalName('child')

export interface TableSqlOptions {
  readonly engine: Engine
  readonly tables: readonly RawTable[]
  readonly source: RecordSource
  readonly loadId: string
  /** The columns of `ingest.primary_key`; if it is empty, records are identified by their number. */
  readonly primaryKey: readonly string[]
  readonly maxRows: number | undefined
  /** From when on the loaded versions are valid, as ISO time. */
  readonly loadedAt: string
  /** The records that are left out: an SQL condition over `recordName`, and the columns that it reads. */
  readonly skip?: { readonly condition: string; readonly columns: readonly RawColumn[] } | undefined
  /** Whether records that have the same primary key, and are equal, are loaded once. */
  readonly isDistinct?: boolean
  /** Whether values that do not fit the column are left out instead of failing the load. */
  readonly isLenient?: (child: string | undefined, column: RawColumn) => boolean
}

/** Returns the SELECT of a table, with exactly its columns. */
export function tableSql(table: RawTable, options: TableSqlOptions): string {
  const path = listPath(table)
  if (path === undefined) return recordTableSql(table, options)
  if (typeAt(options.source.recordType, path) === undefined) return emptyTableSql(table)
  return childTableSql(table, path, options)
}

export function listPath(table: RawTable): readonly string[] | undefined {
  if (table.child === undefined) return undefined
  return table.columns.find(column => column.name === '_svc_idx' && column.system)?.path ?? []
}

function recordTableSql(table: RawTable, options: TableSqlOptions): string {
  const own = table.columns.filter(column => !column.system)
  const values = [
    ...own.map(column => selected(column, recordValue(column, options))),
    ...table.columns.filter(isValidity).map(column => selected(column, validity(column, options))),
  ]
  const keyed = table.columns.some(column => column.system && !isValidity(column))
  const from = keyed
    ? keyedRecords(table.columns, options)
    : `${distinctRecords(own, options)} AS ${recordName}`
  const key = keyed ? [`${recordName}._svc_id AS _svc_id`] : []
  return `SELECT ${[...key, ...values].join(', ')} FROM ${from}`
}

function validity(column: RawColumn, { loadedAt }: TableSqlOptions): string {
  const time = column.name === validFrom ? quoteLiteral(loadedAt) : 'NULL'
  return `CAST(${time} AS ${columnType(column)})`
}

/** Returns a FROM clause with the records, guarded and limited, without those that are left out. */
export function plainRecords(
  columns: readonly RawColumn[],
  { source, maxRows, skip }: Pick<TableSqlOptions, 'source' | 'maxRows' | 'skip'>,
): string {
  const from = source.from(skip === undefined ? columns : [...columns, ...skip.columns])
  const limited = limitedRecords(from, source.guard, maxRows)
  return skip === undefined
    ? limited
    : `(SELECT * FROM ${limited} AS ${recordName} WHERE NOT coalesce(${skip.condition}, false))`
}

/** As `plainRecords`, but with one record of each primary key where records are repeated. */
function distinctRecords(columns: readonly RawColumn[], options: TableSqlOptions): string {
  if (options.isDistinct !== true) return plainRecords(columns, options)
  const keys = primaryKeyOf(options)
  const values = keys.map(key => recordValue(key, options)).join(', ')
  const from = plainRecords([...columns, ...keys], options)
  return `(SELECT DISTINCT ON (${values}) * FROM ${from} AS ${recordName})`
}

/** A column that the key names twice is one: the ids of the rows are the same either way. */
export function primaryKeyOf({
  engine,
  tables,
  primaryKey,
}: Pick<TableSqlOptions, 'engine' | 'tables' | 'primaryKey'>): readonly RawColumn[] {
  const found = primaryKey.flatMap(name => findColumn(tables[0]?.columns ?? [], name, engine) ?? [])
  return [...new Set(found)]
}

/** Returns SQL of the column's value in the record. */
export function recordValue(
  column: RawColumn,
  { source, isLenient }: Pick<TableSqlOptions, 'source' | 'isLenient'>,
): string {
  const how = source.conversion(column)
  if (how === undefined) return noValue(column)
  const raw = access(recordName, column.path)
  return isLenient?.(undefined, column) === true ? how.fitting(raw) : how.value(raw)
}

function noValue(column: RawColumn): string {
  return `CAST(NULL AS ${columnType(column)})`
}

/**
 * Returns records with `_svc_id`: derived from the primary key, or from the load and the record's number in
 * it.
 */
function keyedRecords(columns: readonly RawColumn[], options: TableSqlOptions): string {
  const { loadId } = options
  const keys = primaryKeyOf(options)
  if (keys.length > 0) {
    const texts = keys.map(key => `CAST(${recordValue(key, options)} AS VARCHAR)`)
    const id = texts.length === 1 ? `md5(${texts[0]})` : `md5(CAST([${texts.join(', ')}] AS VARCHAR))`
    const from = distinctRecords([...columns, ...keys], options)
    return `(SELECT ${recordName}.*, ${id} AS _svc_id FROM ${from} AS ${recordName}) AS ${recordName}`
  }
  const from = plainRecords(columns, options)
  // The text is as short as uniqueness allows: with the number it fits one block of the hash.
  const id = `md5(${quoteLiteral(`${loadId.slice(0, 16)}:`)} || row_number() OVER ())`
  return `(SELECT *, ${id} AS _svc_id FROM ${from}) AS ${recordName}`
}

/**
 * Builds the SELECT of a child table, one level of lists after the other: each step turns the elements of a
 * list into rows with the key of the row that held the list.
 */
function childTableSql(table: RawTable, path: readonly string[], options: TableSqlOptions): string {
  const own = table.columns.filter(column => !column.system)
  const lists = splitAtLists(path)
  const [first, ...deeper] = lists
  const isRead = own.some(column => options.source.conversion(column) !== undefined)
  // A list whose elements have no columns of their own is read for the child tables below it.
  const read = isRead ? own : [unnamedColumn(path, 'JSON')]
  let from = unnested(keyedRecords(read, options), `${recordName}._svc_id`, access(recordName, first ?? []))
  for (const list of deeper) from = unnested(from, elementId, access(elementName, list))
  const columns = table.columns.map(column => {
    if (column.name === '_svc_id' && column.system) return `${elementId} AS _svc_id`
    if (column.system) return `${column.name} AS ${column.name}`
    const how = options.source.conversion(column)
    if (how === undefined) return selected(column, noValue(column))
    const raw = access(elementName, column.path.slice(path.length))
    const lenient = options.isLenient?.(table.child, column) === true
    return selected(column, lenient ? how.fitting(raw) : how.value(raw))
  })
  return `SELECT ${columns.join(', ')} FROM ${from}`
}

const elementId = `md5(_svc_parent_id || ':' || _svc_idx)`

/** Returns a FROM clause with one row per row of a table, as `elementName`; that of `{{ source }}` has the records. */
export function elementsFrom(
  table: RawTable,
  columns: readonly RawColumn[],
  { source }: Pick<TableSqlOptions, 'source'>,
): string {
  let from = `(SELECT ${recordName} AS ${elementName} FROM ${source.from(columns)} AS ${recordName}) AS ${childName}`
  for (const list of splitAtLists(listPath(table) ?? []))
    from = `(SELECT unnest(${access(elementName, list)}) AS ${elementName} FROM ${from}) AS ${childName}`
  return from
}

/** Returns SQL of the column's value in an element. */
export function elementValue(table: RawTable, column: RawColumn): string {
  return access(elementName, column.path.slice(listPath(table)?.length ?? 0))
}

function unnested(from: string, key: string, list: string): string {
  const columns = `${key} AS _svc_parent_id, unnest(${list}) AS ${elementName}, generate_subscripts(${list}, 1) - 1 AS _svc_idx`
  return `(SELECT ${columns} FROM ${from}) AS ${childName}`
}

/** Returns a column that is in no table: a value at the source that is only read. */
export function unnamedColumn(path: readonly string[], type: string): RawColumn {
  return { name: '', type, path, system: false, pii: false, nullable: true }
}

/** `[a, b, [], c, []]` -> `[[a, b], [c]]`. */
function splitAtLists(path: readonly string[]): string[][] {
  const lists: string[][] = [[]]
  for (const step of path) {
    if (step === listStep) lists.push([])
    else lists.at(-1)?.push(step)
  }
  return lists.slice(0, -1)
}

export function access(base: string, path: readonly string[]): string {
  return [base, ...path.map(quoteName)].join('.')
}

function selected(column: RawColumn, value: string): string {
  return `${value} AS ${quoteName(column.name)}`
}

/** Returns a SELECT without rows for a child table of an earlier load that this load does not deliver. */
function emptyTableSql(table: RawTable): string {
  const columns = table.columns.map(column => selected(column, noValue(column)))
  return `SELECT ${columns.join(', ')} WHERE false`
}
