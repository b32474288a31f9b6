/** What the binder must know of an engine: how names are compared, and what is special about some functions. */
import type { SqlType } from '../../engines/sql-type.ts'

export interface BinderDialect {
  /** Two names are the same if this gives the same text. */
  fold(name: string): string
  /** Words that are calls without brackets: `current_date`. */
  readonly valueWords: ReadonlySet<string>
  /** Names of pseudo columns that every table has: `rowid`. */
  readonly pseudoColumns: ReadonlySet<string>
  /** Calls whose result differs from run to run although the data are the same. */
  isVolatile(name: string, argumentCount: number): boolean
  /** What a function does with its arguments, as far as values are concerned. */
  flowOf(name: string): FunctionFlow
  /** It gives one type whatever its arguments are. */
  givesOneType(name: string): boolean
  /** The binary operators that answer yes or no, or give a number that tells as little. */
  isComparison(operator: string): boolean
  /** Which names a pattern of COLUMNS('…') chooses; undefined: only the engine knows. */
  columnsMatching(pattern: string): ((name: string) => boolean) | undefined
  /** The fields of a struct type; undefined: it is none, or nobody knows. */
  fieldsOf(
    type: SqlType,
  ): readonly { readonly name: string; readonly type: SqlType | undefined }[] | undefined
  /** What a list's elements are. */
  elementOf(type: SqlType): SqlType | undefined
  /** The type that a text names; undefined: none that is known. */
  typeCalled(text: string): SqlType | undefined
  typeOfLiteral(kind: 'number' | 'string' | 'boolean' | 'null' | 'typed', text: string): SqlType | undefined
  /** A name as it must be written in SQL. */
  quote(name: string): string
  /** A type with a handful of values: BOOLEAN, ENUM. */
  hasFewValues(type: SqlType): boolean
  /** The columns that a table function always has: `range`, `generate_series`. */
  tableFunction(name: string): TableFunctionFacts | undefined
}

/**
 * `value`: what it is given, or a part of it, comes out. `answer`: yes or no. `count`: a number of rows or values.
 * `none`: nothing of it (`typeof`). `transform`, `filter`, `reduce`: takes a lambda.
 */
export type FunctionFlow = 'value' | 'answer' | 'count' | 'none' | 'transform' | 'filter' | 'reduce'

export interface TableFunctionFacts {
  /** Undefined: only the engine knows. */
  readonly columns: readonly string[] | undefined
  /** Its first argument names a relation. */
  readonly readsRelation: boolean
}
