import type { Engine, JsonScalar } from '@svc/server/language'
import type { Relation } from './warehouse.ts'

/**
 * How an engine writes what the tool itself asks of it: tests, checks, state. The tool's SQL is generated per dialect,
 * never transpiled; models are written by the user in the engine's own SQL.
 */
export interface Dialect {
  /** What the language knows of it. */
  readonly engine: Engine
  identifier(name: string): string
  relation(relation: Relation): string
  literal(value: JsonScalar | bigint): string
  /** Placeholder of the n-th parameter, from 1. */
  parameter(position: number): string
  /** Condition: `expression` (as text) matches the regular expression anywhere. */
  matches(expression: string, pattern: string): string
  /** The current time, as the type that `timestamp` columns of the state tables have. */
  now(): string
  /** Casts an expression to text. */
  toText(expression: string): string
  /** Column types of the tool's own tables. */
  readonly types: {
    readonly text: string
    readonly integer: string
    readonly timestamp: string
    readonly boolean: string
    readonly double: string
    readonly json: string
  }
  /** Seconds since the epoch of a timestamp or date expression. */
  epochSeconds(expression: string): string
  /** Aggregate: all values of an expression as the text of a JSON array; NULL when there is no row. */
  jsonList(expression: string): string
  /** Aggregate: all texts of an expression (no NULLs) with the separator between them; NULL when there is no row. */
  joinedTexts(expression: string, separator: string): string
  /** A query: the objects of a JSON array (as text) as rows, with these columns in this order. */
  jsonRecords(json: string, columns: Readonly<Record<string, keyof Dialect['types']>>): string
}
