/** How each engine writes the tables and values of unit tests, one line each. */
import type { Engine } from '../../language/index.ts'
import { duckdbUnitSql } from '../duckdb/unit-sql.ts'
import { postgresUnitSql } from '../postgres/unit-sql.ts'

export interface UnitSql {
  /** Returns the SQL that makes a table with rows of values as they are written, also where there is one of its name. */
  table(table: string, columns: readonly WrittenColumn[], rows: readonly (readonly string[])[]): string
  /** Returns a value of a nested type that is written as JSON. */
  nested(json: string, type: string): string
  /** Returns the text of a value as one of `type`; where it is none, that is NULL or an error. */
  text(value: string, type: string): string
  /** How many databases may be open at once. */
  readonly mostDatabases: number
}

/** The name with its quotes, and a type that a table can have. */
export interface WrittenColumn {
  readonly name: string
  readonly type: string
}

const byEngine: Readonly<Record<string, UnitSql>> = {
  duckdb: duckdbUnitSql,
  postgres: postgresUnitSql,
}

export function unitSqlOf({ kind, label }: Engine): UnitSql {
  const sql = byEngine[kind]
  if (sql === undefined) throw new Error(`nobody has said how unit tests are written for ${label}`)
  return sql
}
