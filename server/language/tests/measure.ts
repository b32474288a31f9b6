/**
 * One test as SQL, for any dialect. A test becomes one or two numbers that a scan of the asset can take on the way
 * (so that all tests of an asset are one scan), a reading of those numbers as a count of failures, and a query of the
 * rows that fail. NULL is the business of the kinds that refuse it: every other kind lets it pass, as a SQL CHECK does.
 */
import type { JsonScalar, TestOptions } from '../schema/definition.ts'
import type { SqlTemplate } from '../syntax/template.ts'

/** What a kind of test has to know of the SQL of a warehouse. */
export interface TestDialect {
  literal(value: JsonScalar): string
  /** Casts an expression to text. */
  toText(expression: string): string
  /** Condition: `expression` (as text) matches the regular expression anywhere. */
  matches(expression: string, pattern: string): string
  /** Seconds since the epoch of a timestamp or date expression. */
  epochSeconds(expression: string): string
}

export interface MeasureContext {
  readonly dialect: TestDialect
  /** What `{{ this }}` is in a FROM clause. */
  readonly relation: string
  /** A column in SQL, by the name that a test has for it; of the asset itself unless another one is named. */
  readonly column: (name: string, asset?: string) => string
  /** What another asset is in a FROM clause; throws when it has no build. */
  readonly relationOf: (asset: string) => string
  /** The version that is live now, for `row_count: {change}`; undefined: none. */
  readonly baseline: { readonly relation: string; readonly rows: number | undefined } | undefined
  /** The compiled query of a `sql` test. */
  readonly compile: (template: SqlTemplate) => string
  readonly template: SqlTemplate | undefined
  readonly nowMs: number
}

export interface Measure {
  /** Aggregates over the rows of the asset, usable side by side in one SELECT list. */
  readonly aggregates: readonly string[]
  /** Scalar subqueries of their own: what one pass cannot count (groups, other relations). */
  readonly subqueries: readonly string[]
  /** From the numbers, aggregates first, to failures; a message where the count alone does not say it. */
  readonly read: (numbers: readonly (number | null)[]) => Reading
  /** The failing rows; undefined where a count is all there is to show. */
  readonly rows: string | undefined
}

export interface Reading {
  readonly failures: number
  readonly message: string
}

/** Of a kind that holds each row against a condition; `what` follows the count in the message. */
export function rowMeasure(
  { where }: TestOptions,
  { relation }: MeasureContext,
  failingCondition: string,
  what: string,
): Measure {
  const failing = both(failingCondition, where)
  return {
    aggregates: [`count(*) FILTER (WHERE ${failing})`],
    subqueries: [],
    read: counted(count => `${rows(count)} ${what}`),
    rows: `SELECT * FROM ${relation} WHERE ${failing}`,
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

/** The user's own words, safe from a comment at their end. */
export function enclosed(expression: string): string {
  return `(${expression}\n)`
}

/** Behind an aggregate: only the rows that the test looks at. */
export function filtered({ where }: TestOptions): string {
  return where === undefined ? '' : ` FILTER (WHERE ${enclosed(where)})`
}
