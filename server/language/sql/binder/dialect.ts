/**
 * The interface of an engine's dialect for the binder: how names are compared, and the functions with special
 * rules.
 */
import type { FunctionEffect } from '../../engines/function-effects.ts'
import type { SqlType } from '../../engines/sql-type.ts'
import type { Expression } from '../tree.ts'

export interface BinderDialect {
  /** Folds a name; two names are the same if their folded forms are equal. */
  fold(name: string): string
  /** Keywords that are function calls without brackets: `current_date`. */
  readonly valueWords: ReadonlySet<string>
  /** Pseudo-columns that every table has: `rowid`. */
  readonly pseudoColumns: ReadonlySet<string>
  /** Returns whether the result of a call may differ between runs over the same data. */
  isVolatile(name: string, argumentCount: number): boolean
  /** Returns what a call does beside working out its value; undefined for a function that the engine does not have. */
  effectOf(name: string, argumentCount: number): FunctionEffect | undefined
  /** Returns whether a path of folded names, such as `information_schema.tables`, is a relation of the engine itself. */
  isOfEngine(path: readonly string[]): boolean
  /** Returns how values flow through a function. */
  flowOf(name: string): FunctionFlow
  /** Returns whether it has one result type for all arguments. */
  givesOneType(name: string): boolean
  /** Returns whether a binary operator returns a boolean, or a number that reveals as little. */
  isComparison(operator: string): boolean
  /** Returns which names the pattern of COLUMNS('…') selects; undefined if only the engine knows. */
  columnsMatching(pattern: string): ((name: string) => boolean) | undefined
  /** Returns the fields of a struct type; undefined if it is none, or if they are unknown. */
  fieldsOf(
    type: SqlType,
  ): readonly { readonly name: string; readonly type: SqlType | undefined }[] | undefined
  /** Returns the element type of a list. */
  elementOf(type: SqlType): SqlType | undefined
  /** Returns the type with a name; undefined if it is not known. */
  typeCalled(text: string): SqlType | undefined
  typeOfLiteral(kind: 'number' | 'string' | 'boolean' | 'null' | 'typed', text: string): SqlType | undefined
  /** Quotes a name for SQL. */
  quote(name: string): string
  /** Returns whether the type has a handful of values: BOOLEAN, ENUM. */
  hasFewValues(type: SqlType): boolean
  /** Returns the name of a value of `text` without an alias; '' if only the engine knows. */
  nameOfValue(value: Expression, text: string): string
  /** Returns the name of a column of VALUES, counted from 0. */
  nameInValues(index: number): string
  /** Returns the name of a field of ROW(…), counted from 0; '' if it has none. */
  nameInRow(index: number): string
  /** Whether the second `a` of a query in FROM becomes `a_1`; otherwise both are `a`. */
  readonly numbersNamesakes: boolean
  /** Returns the fixed columns of a table function: `range`, `generate_series`. */
  tableFunction(name: string): TableFunctionFacts | undefined
}

/**
 * `value`: an argument, or a part of it, is the result. `answer`: a boolean. `count`: a number of rows or
 * values. `none`: nothing of the arguments (`typeof`). `transform`, `filter`, `reduce`: takes a lambda.
 */
export type FunctionFlow = 'value' | 'answer' | 'count' | 'none' | 'transform' | 'filter' | 'reduce'

export interface TableFunctionFacts {
  /** Undefined if only the engine knows. */
  readonly columns: readonly string[] | undefined
  /** Its first argument names a relation. */
  readonly readsRelation: boolean
  /** The alias of the table is the name of its only column, too. */
  readonly isNamedByAlias: boolean
}
