/** The interface to everything outside the text that is bound. */

import type { SqlType } from '../../engines/sql-type.ts'
import type { TaggedRelation } from './model.ts'

export interface SqlWorld {
  /** Returns the relation of a tag. `tag` is its text, brackets included. */
  table(tag: string): TaggedRelation
  /** Returns the relation that an unknown table most likely means, and its SQL. */
  meant?(name: string): { readonly relation: TaggedRelation; readonly sql: string } | undefined
  /**
   * Returns the result type of a function; undefined if it is not known. `types` has the types of its
   * arguments, if they are recorded.
   */
  returnType(name: string, types: readonly (SqlType | undefined)[]): SqlType | undefined
}
