/** The tables of PostgreSQL that stand for assets. */
import type { ShadowTable } from '../shadow-tables.ts'
import { unknownType } from './unknown-type.ts'

export const postgresShadowTable: ShadowTable = {
  create: (table, columns) => `${drop(table)};CREATE TABLE ${table} (${columns.join(', ')})`,
  drop,
  type: type => type ?? unknownType,
}

/** A table may have a column of which the type is the row of this one. */
function drop(table: string): string {
  return `DROP TABLE IF EXISTS ${table} CASCADE`
}
