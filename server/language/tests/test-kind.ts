/**
 * What a kind of data test is: one object in one file, with all that the rest of the program asks of it. No other code
 * names a kind of test (`test/architecture/kinds.test.ts`): what differs between kinds is a member here.
 */
import type { TypeFamily } from '../engines/sql-type.ts'
import type { JsonScalar, TestOptions } from '../schema/definition.ts'
import type { Value } from '../schema/read-value.ts'
import type { Key } from '../schema/shape.ts'
import type { NodePath } from '../syntax/node.ts'
import type { Measure, MeasureContext } from './measure.ts'

/** What a test of one kind holds besides the options that all kinds have. */
export interface TestParts {
  readonly kind: string
}

export type TestOf<Parts extends TestParts> = TestOptions & Parts

/** A kind whose tests are measured on the rows of the warehouse. */
export interface DataTestKind<Parts extends TestParts> extends TestKind<Parts> {
  /** The numbers from which a run takes its result. */
  measure(test: TestOf<Parts>, context: MeasureContext): Measure
}

export interface TestKind<Parts extends TestParts> {
  // -------------------------------------------------------------- shape and reading
  /** Its name, its documentation and its shape in the file. */
  readonly key: Key
  /** Which rows fail, for the table in `docs/tests.md`. */
  readonly failsFor: string
  /** What completion writes behind the name; lines are indented for column 0. */
  readonly snippet: string
  /** The tests that a value makes: one a column where a kind takes several columns. */
  read(value: Value): readonly Omit<Parts, 'kind'>[]

  // -------------------------------------------------------------- what it names
  /** Columns of the asset itself, where that is not the one in `column`. */
  columns?(test: TestOf<Parts>): readonly string[]
  /** The key that the column stands behind, where it is not a key, an item or the value itself. */
  readonly columnKey?: string
  /** What the value behind `key` names (undefined: the value of the test itself), for completion and hover. */
  names?(key: string | undefined): Named | undefined
  /** The column of another asset, which stands as `asset.column` behind its own column. */
  target?(test: TestOf<Parts>): { readonly asset: string; readonly column: string }
  /** Conditions that the user wrote, by the key in the file, which is their name in the definition too. */
  conditions?(test: TestOf<Parts>): readonly Condition[]
  /** Its value is a query with tags, kept in `asset.testSql`. */
  readonly isQuery?: true

  // -------------------------------------------------------------- what checks ask
  /** A row without one of its columns passes, so that a key with NULLs passes too. */
  readonly overlooksNull?: true
  /** A row without the column fails. */
  readonly refusesNull?: true
  /** All values that the column may have. */
  listedValues?(test: TestOf<Parts>): readonly JsonScalar[]
  /** Why no row can pass; undefined: some can. */
  impossible?(test: TestOf<Parts>): string | undefined
  /** The way from the test's value to the mapping that holds `min` and `max`. */
  boundsAt?(test: TestOf<Parts>): NodePath
  /** What the column has to be, in words, where a column of this family is none. */
  wantedType?(test: TestOf<Parts>, family: TypeFamily): string | undefined
  /** The type to which such a column can be cast. */
  readonly castTo?: 'TIMESTAMP' | 'VARCHAR'
  /** What the column is compared with, each with its way from the test's value. */
  comparedWith?(test: TestOf<Parts>): readonly ComparedValue[]
  /** A regular expression. */
  pattern?(test: TestOf<Parts>): string

  // -------------------------------------------------------------- words and SQL
  /** What follows the name of the kind where a column's tests are listed; `code` makes Markdown of a piece of code. */
  inWords?(test: TestOf<Parts>, code: (text: string) => string): string
  /** A query of the failing rows in the way that people write it, for hover. */
  shownSql?(test: TestOf<Parts>, asset: string): string
  /** Its answer changes with the time alone. */
  readonly asksForTime?: true
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
