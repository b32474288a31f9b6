/** What lies outside the text that is bound. */

import type { SqlType } from '../../engines/sql-type.ts'
import type { TaggedRelation } from './model.ts'

export interface SqlWorld {
  /** What a tag names. `tag`: its text, brackets included. */
  table(tag: string): TaggedRelation
  /** The relation that a table which there is not was most likely meant to be, and what stands for it in SQL. */
  meant?(name: string): { readonly relation: TaggedRelation; readonly sql: string } | undefined
  /** What a function gives; undefined: nobody knows. `types`: of its arguments, where they are kept. */
  returnType(name: string, types: readonly (SqlType | undefined)[]): SqlType | undefined
}
