/**
 * A test as SQL, for any dialect. It consists of numbers that a scan of the asset computes (so that all tests
 * of an asset need one scan), a function that reads these numbers as a count of failures, and a query for the
 * failing rows. NULL fails only in kinds that reject it; in all others it passes, as in an SQL CHECK.
 */
import type { JsonScalar, TestOptions } from '../schema/definition.ts'
import type { SqlTemplate } from '../syntax/template.ts'

/** The dialect that kinds of test need from a warehouse. */
export interface TestDialect {
  literal(value: JsonScalar): string
  /** Casts an expression to text. */
  toText(expression: string): string
  /** Returns a condition: `expression` (as text) matches the regular expression anywhere. */
  matches(expression: string, pattern: string): string
  /** Returns the seconds since the epoch of a timestamp or date expression. */
  epochSeconds(expression: string): string
}

export interface MeasureContext {
  readonly dialect: TestDialect
  /** `{{ this }}` in a FROM clause. */
  readonly relation: string
  /** Returns a column in SQL by its name in the test; of the test's own asset by default. */
  readonly column: (name: string, asset?: string) => string
  /** The columns of a failing row that are kept, as a select list: all of them, unless the asset is very wide. */
  readonly shown: string
  /** Returns another asset in a FROM clause; throws if it has no build. */
  readonly relationOf: (asset: string) => string
  /** The live version, for `row_count: {change}`; undefined if there is none. */
  readonly baseline: { readonly relation: string; readonly rows: number | undefined } | undefined
  /** Compiles the query of a `sql` test. */
  readonly compile: (template: SqlTemplate) => string
  readonly template: SqlTemplate | undefined
  readonly nowMs: number
}

export interface Measure {
  /** Aggregates over the rows of the asset, to be combined in one SELECT list. */
  readonly aggregates: readonly string[]
  /** Scalar subqueries for what one scan cannot count (groups, other relations). */
  readonly subqueries: readonly string[]
  /**
   * Computes the failures from the numbers, aggregates first; with a message if the count alone is unclear.
   */
  readonly read: (numbers: readonly (number | null)[]) => Reading
  /** A query for the failing rows; undefined if there is only a count. */
  readonly rows: string | undefined
}

export interface Reading {
  readonly failures: number
  readonly message: string
  /** The failure is a warning, whatever the severity of the test: nothing is known to be wrong. */
  readonly onlyWarns?: true
}

/**
 * Makes the measure of a kind that checks each row against a condition; `what` follows the count in the
 * message.
 */
export function rowMeasure(
  { where }: TestOptions,
  { relation, shown }: MeasureContext,
  failingCondition: string,
  what: string,
): Measure {
  const failing = both(failingCondition, where)
  return {
    aggregates: [`count(*) FILTER (WHERE ${failing})`],
    subqueries: [],
    read: counted(count => `${rows(count)} ${what}`),
    rows: `SELECT ${shown} FROM ${relation} WHERE ${failing}`,
  }
}

export const nothingFailed: Reading = { failures: 0, message: '' }

export function counted(message: (count: number) => string): Measure['read'] {
  return ([count]) => ({ failures: count ?? 0, message: message(count ?? 0) })
}

export function rows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`
}

export function both(condition: string, where: string | undefined): string {
  return where === undefined ? condition : `(${condition}) AND ${enclosed(where)}`
}

/** Encloses the user's expression in brackets, safe from a comment at its end. */
export function enclosed(expression: string): string {
  return `(${expression}\n)`
}

/** Returns the FILTER after an aggregate that limits it to the test's rows. */
export function filtered({ where }: TestOptions): string {
  return where === undefined ? '' : ` FILTER (WHERE ${enclosed(where)})`
}
