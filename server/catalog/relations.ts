/**
 * The tables of assets and raw tables in the catalogue's database. The table name is the one in the
 * warehouse, because SQL may use it as a qualifier; the schema separates names that differ only in case,
 * which some engines treat as equal.
 */
import type { Engine } from '../language/index.ts'
import { unknownColumn } from '../language/sql/binder/model.ts'
import { shadowTableOf } from './shadow-tables.ts'

export interface RelationName {
  readonly schema: string
  readonly table: string
}

export function assetRelation(name: string): RelationName {
  return { schema: `svc assets${caseMark(name)}`, table: name }
}

/** Returns a raw table; `child` is undefined for the table of `{{ source }}`. */
export function rawRelation(asset: string, child: string | undefined): RelationName {
  const table = child === undefined ? `${asset}__raw` : `${asset}__raw__${child}`
  return { schema: `svc raw${caseMark(table)}`, table }
}

/**
 * Returns a table for one reader alone: it has the columns that this reader asks of a relation that is not
 * fully known.
 */
export function privateRelation(reader: string, table: string): RelationName {
  return { schema: `svc for ${reader}${caseMark(reader)}`, table }
}

export function relationSql({ schema, table }: RelationName, { quote }: Engine): string {
  return `${quote(schema)}.${quote(table)}`
}

export function relationKey(schema: string, table: string): string {
  return `${schema}\0${table}`
}

export interface TableColumn {
  readonly name: string
  /** Undefined if the type is unknown. */
  readonly type: string | undefined
}

export { unknownColumn as placeholder } from '../language/sql/binder/model.ts'

/**
 * Returns whether the column is a placeholder. The check is for containment, since the engine derives names
 * from it.
 */
export function isPlaceholder(column: string): boolean {
  return column.includes(unknownColumn)
}

export function createTableSql(
  relation: RelationName,
  columns: readonly TableColumn[],
  engine: Engine,
): string {
  const table = shadowTableOf(engine)
  // A table cannot be made with a name that is taken, which the check reserved-name reports.
  const possible = columns.filter(({ name }) => !engine.storage.takenColumns.has(name))
  const definitions = possible.map(({ name, type }) => `${engine.quote(name)} ${table.type(type, engine)}`)
  return table.create(relationSql(relation, engine), definitions)
}

export function dropTableSql(relation: RelationName, engine: Engine): string {
  return shadowTableOf(engine).drop(relationSql(relation, engine))
}

export function createSchemaSql(schema: string, { quote }: Engine): string {
  return `CREATE SCHEMA IF NOT EXISTS ${quote(schema)}`
}

/** Returns the positions of the upper-case letters, so that `Orders` and `orders` get different schemas. */
function caseMark(name: string): string {
  if (name === name.toLowerCase()) return ''
  const places = [...name].flatMap((letter, index) => (letter === letter.toLowerCase() ? [] : [index]))
  return ` ${places.join(' ')}`
}
