/**
 * The SQL layout of each engine, one line each. Separate from the engines because it is loaded only for
 * formatting.
 */
import type { DialectOptions } from 'sql-formatter'
import { duckdbFormatter } from './duckdb/formatter.ts'
import type { Engine } from './engine.ts'
import { postgresFormatter } from './postgres/formatter.ts'

export interface EngineFormatter {
  /** The dialect for queries, without the statements that a template never contains. */
  readonly dialect: DialectOptions
  /** Words that are keywords everywhere, in upper case. */
  readonly reservedWords: ReadonlySet<string>
}

const formatters: Readonly<Record<string, EngineFormatter>> = {
  duckdb: duckdbFormatter,
  postgres: postgresFormatter,
}

export function formatterOf({ kind, label }: Engine): EngineFormatter {
  const formatter = formatters[kind]
  if (formatter === undefined) throw new Error(`nobody has said how the SQL of ${label} is laid out`)
  return formatter
}
