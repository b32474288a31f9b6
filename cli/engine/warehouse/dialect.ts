import { type Engine, internalNames, type JsonScalar } from '@svc/server/language'
import type { Relation } from './warehouse.ts'

/** The columns of the answer of `rowsHash`. */
export const hashNames = internalNames('rows', 'hash')

/**
 * How an engine writes the SQL that svc itself generates for users' tables: tests and checks. This SQL is
 * generated per dialect, never transpiled; models are written by the user in the engine's own SQL.
 */
export interface Dialect {
  /** The description of the engine in the language. */
  readonly engine: Engine
  identifier(name: string): string
  /** Returns the name of a relation in full, for a statement that runs now. */
  relation(relation: Relation): string
  /** Returns the name of a schema in full. */
  schema(name: string): string
  /**
   * Returns the parts of a relation's name for SQL that stays in the warehouse, as that of a view: a file may be opened under
   * another name, so that the catalogue is among them only where nothing else tells the relation.
   */
  storedParts(relation: Relation): readonly string[]
  /** Returns that name. */
  storedRelation(relation: Relation): string
  literal(value: JsonScalar | bigint): string
  /** Returns the condition that `expression` (as text) matches the regular expression anywhere. */
  matches(expression: string, pattern: string): string
  /** Returns a cast of an expression to text. */
  toText(expression: string): string
  /** The type in which tests compare numbers. */
  readonly types: { readonly double: string }
  /** Returns the seconds since the epoch of a timestamp or date expression. */
  epochSeconds(expression: string): string
  /**
   * Returns a SELECT of one row: `hashNames.rows`, their number, and `hashNames.hash`, a text that is the same for the same rows in any order.
   */
  rowsHash(values: readonly string[], from: string): string
  /** Returns a SELECT of one row that reads every value of a relation, so that it fails where one is damaged. */
  readThrough(relation: Relation): string
}
