import type { ColumnType } from '../../state/tables.ts'
import type { Dialect } from '../dialect.ts'

/**
 * How a SQL engine writes the queries of a state store, in addition to the dialect for other generated SQL.
 */
export interface StateDialect extends Dialect {
  /** The column types of the state tables. */
  readonly types: Readonly<Record<ColumnType, string>>
  /**
   * Returns an aggregate: all values of an expression as the text of a JSON array; NULL if there is no row.
   */
  jsonList(expression: string): string
  /**
   * Returns an aggregate: all texts of an expression (no NULLs), joined by the separator; NULL if there is no
   * row.
   */
  joinedTexts(expression: string, separator: string): string
  /**
   * Up to how many rows of a table are read as rows rather than as texts; 0: never, as where the values of rows are not
   * those of JSON.
   */
  readonly fewRows: number
  /** Returns a query: the objects of a JSON array (as text) as rows, with these columns in this order. */
  jsonRecords(json: string, columns: Readonly<Record<string, ColumnType>>): string
}
