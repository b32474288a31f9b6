/** How each engine makes the tables that stand for assets in the catalogue's database, one line each. */
import type { Engine } from '../language/index.ts'
import { duckdbShadowTable } from './duckdb/shadow-table.ts'
import { postgresShadowTable } from './postgres/shadow-table.ts'

export interface ShadowTable {
  /** Returns the SQL that makes a table, also where there is one of its name. `columns`: names with types. */
  create(table: string, columns: readonly string[]): string
  drop(table: string): string
  /** Returns a type that a table can have; `type` is undefined if it is unknown. */
  type(type: string | undefined, engine: Engine): string
}

const byEngine: Readonly<Record<string, ShadowTable>> = {
  duckdb: duckdbShadowTable,
  postgres: postgresShadowTable,
}

export function shadowTableOf({ kind, label }: Engine): ShadowTable {
  const table = byEngine[kind]
  if (table === undefined) throw new Error(`nobody has said how tables of ${label} stand for assets`)
  return table
}
