/** What a kind of generic test of dbt or of its packages becomes. */
import type { Value } from '../../jinja/values.ts'
import type { PlainMap } from '../asset-draft.ts'

/** Returns the keys of the test here. Throws CallProblem for what has no counterpart. */
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
  /** As SQL: whether a regular expression is found in a text; both are SQL. */
  isFound(text: string, pattern: string): string
  /** Returns a list of all columns but some. */
  allBut(columns: readonly string[]): string
  /** The asset that an argument such as `to: ref('customers')` names. */
  asset(name: string): string
}
