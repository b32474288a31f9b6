/**
 * Where assets and raw tables stand in the catalogue. The table's name is the one in the warehouse, because SQL may
 * use it as a qualifier; the schema keeps apart what differs only in case, which DuckDB would take for one.
 */
import type { Engine } from '../language/index.ts'
import { unknownColumn } from '../language/sql/binder/model.ts'

export interface RelationName {
  readonly schema: string
  readonly table: string
}

export function assetRelation(name: string): RelationName {
  return { schema: `svc assets${caseMark(name)}`, table: name }
}

/** `child` undefined: the table of `{{ source }}`. */
export function rawRelation(asset: string, child: string | undefined): RelationName {
  const table = child === undefined ? `${asset}__raw` : `${asset}__raw__${child}`
  return { schema: `svc raw${caseMark(table)}`, table }
}

/** A table for one reader alone: it has the columns that this reader asks of a relation not fully known. */
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
  /** Undefined: unknown. */
  readonly type: string | undefined
}

export { unknownColumn as placeholder } from '../language/sql/binder/model.ts'

/** What an engine makes of it is called after it. */
export function isPlaceholder(column: string): boolean {
  return column.includes(unknownColumn)
}

/** `"NULL"` is the nearest that DuckDB has to a column of unknown type. */
export function createTableSql(
  relation: RelationName,
  columns: readonly TableColumn[],
  engine: Engine,
): string {
  const definitions = columns.map(({ name, type }) => `${engine.quote(name)} ${writableType(type, engine)}`)
  return `CREATE OR REPLACE TABLE ${relationSql(relation, engine)} (${definitions.join(', ')})`
}

/** Structs whose fields have no names are printed as no table can have them. */
function writableType(type: string | undefined, { types }: Engine): string {
  if (type === undefined || (type.includes('STRUCT(') && types.problem(type) !== undefined)) return '"NULL"'
  return type
}

export function createSchemaSql(schema: string, { quote }: Engine): string {
  return `CREATE SCHEMA IF NOT EXISTS ${quote(schema)}`
}

/** Where the upper-case letters are, so that `Orders` and `orders` are two. */
function caseMark(name: string): string {
  if (name === name.toLowerCase()) return ''
  const places = [...name].flatMap((letter, index) => (letter === letter.toLowerCase() ? [] : [index]))
  return ` ${places.join(' ')}`
}
