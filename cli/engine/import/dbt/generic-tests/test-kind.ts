/** What a kind of generic test of dbt or of its packages becomes. */
import type { Value } from '../../jinja/values.ts'
import type { PlainMap } from '../asset-draft.ts'

/**
 * Returns the keys of the test here; `where` among them chooses the rows. Throws CallProblem for what has no counterpart. An argument
 * that it does not ask for is none that it knows.
 */
export type GenericTest = (given: GivenTest) => PlainMap | readonly PlainMap[]

/** By name, without that of the package. */
export type GenericTests = Readonly<Record<string, GenericTest>>

export interface GivenTest {
  /** The column that the test is written at. */
  readonly column: string | undefined
  /** Throws if the test is written at no column. */
  ownColumn(): string
  /** As SQL. */
  sqlName(column: string): string
  value(name: string): Value | undefined
  text(name: string): string | undefined
  /** Throws for an argument that is missing. */
  needed(name: string): string
  texts(name: string): readonly string[]
  number(name: string): number | undefined
  flag(name: string): boolean | undefined
  /** As SQL: whether a regular expression is found in a text; both are SQL. Throws for flags that the engine does not have. */
  isFound(text: string, pattern: string, flags?: string): string
  /** As SQL: the rows that are tested, of which a condition may choose some. */
  rows(condition?: string): string
  /** Whether another test says that no value of a column is missing. */
  isFilled(column: string): boolean
  /** Returns a list of all columns but some. */
  allBut(columns: readonly string[]): string
  /** The asset that an argument such as `to: ref('customers')` names. */
  asset(name: string): string
}
