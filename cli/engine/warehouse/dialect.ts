import type { Engine, JsonScalar } from '@svc/server/language'
import type { Relation } from './warehouse.ts'

/**
 * How an engine writes what the tool itself asks of its users' tables: tests and checks. The tool's SQL is generated per
 * dialect, never transpiled; models are written by the user in the engine's own SQL.
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
  /** Casts an expression to text. */
  toText(expression: string): string
  /** The type that numbers of tests are compared in. */
  readonly types: { readonly double: string }
  /** Seconds since the epoch of a timestamp or date expression. */
  epochSeconds(expression: string): string
}
