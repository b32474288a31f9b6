/** The tables of DuckDB that stand for assets. */
import type { Engine } from '../../language/index.ts'
import type { ShadowTable } from '../shadow-tables.ts'

export const duckdbShadowTable: ShadowTable = {
  create: (table, columns) => `CREATE OR REPLACE TABLE ${table} (${columns.join(', ')})`,
  drop: table => `DROP TABLE IF EXISTS ${table}`,
  type: writableType,
}

/**
 * Returns a type that a table can have: DuckDB prints structs with unnamed fields in a form that it does not
 * accept. `"NULL"` is its nearest type for a column of unknown type.
 */
function writableType(type: string | undefined, { types }: Engine): string {
  if (type === undefined || (type.includes('STRUCT(') && types.problem(type) !== undefined)) return '"NULL"'
  return type
}
