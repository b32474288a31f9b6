/** What lies outside the text that is bound. */
import type { TaggedRelation } from './model.ts'
import type { SqlType } from '../../engines/sql-type.ts'

export interface SqlWorld {
  /** What a tag names. `tag`: its text, brackets included. */
  table(tag: string): TaggedRelation
  /** What a function gives whatever its arguments are; undefined: that depends, or nobody knows. */
  returnType(name: string): SqlType | undefined
}
