/**
 * The tables of PostgreSQL that stand for assets. They are foreign ones, which have columns and no place for rows: to
 * make one costs a fifth of an ordinary table.
 */
import type { ShadowTable } from '../shadow-tables.ts'
import { unknownType } from './unknown-type.ts'

const server = '"svc nowhere"'

/** Makes what foreign tables belong to. */
export const makeServer: readonly string[] = [
  `CREATE FOREIGN DATA WRAPPER ${server}`,
  `CREATE SERVER ${server} FOREIGN DATA WRAPPER ${server}`,
]

export const postgresShadowTable: ShadowTable = {
  create: (table, columns) =>
    `${drop(table)};CREATE FOREIGN TABLE ${table} (${columns.join(', ')}) SERVER ${server}`,
  drop,
  type: type => type ?? unknownType,
}

/** A table may have a column of which the type is the row of this one. */
function drop(table: string): string {
  return `DROP FOREIGN TABLE IF EXISTS ${table} CASCADE`
}
