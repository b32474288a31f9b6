/**
 * The interface of a kind of data test: one object in one file that the rest of the program uses. No other
 * code names a kind of test (`test/architecture/kinds.test.ts`): every difference between kinds is a member
 * here.
 */
import type { TypeFamily } from '../engines/sql-type.ts'
import type { JsonScalar, TestOptions } from '../schema/definition.ts'
import type { Value } from '../schema/read-value.ts'
import type { Key } from '../schema/shape.ts'
import type { NodePath } from '../syntax/node.ts'
import type { Measure, MeasureContext } from './measure.ts'

/** The members of a test of one kind besides the options of all kinds. */
export interface TestParts {
  readonly kind: string
}

/** The members of a test of one column. */
export interface OfColumn<Kind extends string> extends TestParts {
  readonly kind: Kind
  readonly column: string
}

export type TestOf<Parts extends TestParts> = TestOptions & Parts

/** A kind whose tests are measured on the rows of the warehouse. */
export interface DataTestKind<Parts extends TestParts> extends TestKind<Parts> {
  /** Returns the measure from which a run gets its result. */
  measure(test: TestOf<Parts>, context: MeasureContext): Measure
}

export interface TestKind<Parts extends TestParts> {
  // -------------------------------------------------------------- shape and reading
  /** Its name, its documentation and its shape in the file. */
  readonly key: Key
  /** The failing rows in words, for the table in `docs/tests.md`. */
  readonly failsFor: string
  /** The snippet that completion inserts after the name; lines are indented for column 0. */
  readonly snippet: string
  /** Returns the tests of a value: one per column for a kind that takes several columns. */
  read(value: Value): readonly Omit<Parts, 'kind'>[]

  // -------------------------------------------------------------- what it names
  /** Returns the columns of the asset itself, if they are not the one in `column`. */
  columns?(test: TestOf<Parts>): readonly string[]
  /** Returns the key of the test in the file, if it is not the name of the kind. */
  wordOf?(test: TestOf<Parts>): string
  /** Returns the path from the test's value to a column, if the column is not a key, an item or the value itself. */
  columnAt?(test: TestOf<Parts>, column: string): NodePath
  /** The key whose value is the column, if the column is not a key, an item or the test's value itself. */
  readonly columnKey?: string
  /**
   * Returns the kind of name in the value of `key` (undefined for the value of the test itself), for
   * completion and hover.
   */
  names?(key: string | undefined): Named | undefined
  /** Returns the column of another asset, written as `asset.column` after the own column. */
  target?(test: TestOf<Parts>): { readonly asset: string; readonly column: string }
  /** Returns the user's conditions by their key in the file, which is their name in the definition too. */
  conditions?(test: TestOf<Parts>): readonly Condition[]
  /** Its value is a query with tags, kept in `asset.testSql`. */
  readonly isQuery?: true

  // -------------------------------------------------------------- what checks ask
  /** A row without one of its columns passes, so a key with NULLs passes too. */
  readonly overlooksNull?: true
  /** A row without the column fails. */
  readonly refusesNull?: true
  /** Returns all values that the column may have. */
  listedValues?(test: TestOf<Parts>): readonly JsonScalar[]
  /** Returns why no row can pass; undefined if one can. */
  impossible?(test: TestOf<Parts>): string | undefined
  /** Returns the path from the test's value to the mapping with `min` and `max`. */
  boundsAt?(test: TestOf<Parts>): NodePath
  /** Returns the required type in words if a column of this family is not valid. */
  wantedType?(test: TestOf<Parts>, family: TypeFamily): string | undefined
  /** The type to which such a column can be cast. */
  readonly castTo?: 'TIMESTAMP' | 'VARCHAR'
  /** Returns the values that the column is compared with, each with its path from the test's value. */
  comparedWith?(test: TestOf<Parts>): readonly ComparedValue[]
  /** Returns the regular expression. */
  pattern?(test: TestOf<Parts>): string

  // -------------------------------------------------------------- words and SQL
  /**
   * Returns the text after the name of the kind in a list of a column's tests; `code` formats code as
   * Markdown.
   */
  inWords?(test: TestOf<Parts>, code: (text: string) => string): string
  /** Returns a query for the failing rows as people would write it, for hover. */
  shownSql?(test: TestOf<Parts>, asset: string): string
  /** Its result changes with time alone. */
  readonly asksForTime?: true
  /** Returns whether it compares a new build with the one that is live in the environment. */
  comparesWithLive?(test: TestOf<Parts>): boolean
}

export type Named = 'column' | 'point in time' | 'column of an asset' | 'CTE'

export interface Condition {
  readonly key: string
  readonly sql: string
}

export interface ComparedValue {
  readonly at: NodePath
  readonly value: JsonScalar | undefined
}
