/** How the SQL of each engine is laid out: a line for each. Apart from the engines, because it is loaded only to format. */
import type { DialectOptions } from 'sql-formatter'
import { duckdbFormatter } from './duckdb/formatter.ts'
import type { Engine } from './engine.ts'

export interface EngineFormatter {
  /** Of queries: statements that a template never holds are none to it. */
  readonly dialect: DialectOptions
  /** Words that are keywords wherever they stand, in capitals. */
  readonly reservedWords: ReadonlySet<string>
}

const formatters: Readonly<Record<string, EngineFormatter>> = { duckdb: duckdbFormatter }

export function formatterOf({ kind, label }: Engine): EngineFormatter {
  const formatter = formatters[kind]
  if (formatter === undefined) throw new Error(`nobody has said how the SQL of ${label} is laid out`)
  return formatter
}
