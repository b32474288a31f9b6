import type { ColumnType } from '../../state/tables.ts'
import type { Dialect } from '../dialect.ts'

/** How an engine that speaks SQL writes what a store of state asks, beyond what all of the tool's SQL needs. */
export interface StateDialect extends Dialect {
  /** Column types of the state tables. */
  readonly types: Readonly<Record<ColumnType, string>>
  /** Aggregate: all values of an expression as the text of a JSON array; NULL when there is no row. */
  jsonList(expression: string): string
  /** Aggregate: all texts of an expression (no NULLs) with the separator between them; NULL when there is no row. */
  joinedTexts(expression: string, separator: string): string
  /** A query: the objects of a JSON array (as text) as rows, with these columns in this order. */
  jsonRecords(json: string, columns: Readonly<Record<string, ColumnType>>): string
}
