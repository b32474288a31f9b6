/** Tells whether anything that a statement reads has an unknown type, as opposed to what the name binder cannot work out. */
import type { BoundSql } from '../language/sql/binder/model.ts'
import type { Input, Statement } from './statement.ts'

/**
 * Returns true if the engine knows the types of all that the statement reads, and so of all that it makes of them: also of
 * what the name binder has no rule for, such as a field of a row.
 */
export function allTypesKnown({ inputs }: Statement, { output, problems }: BoundSql): boolean {
  return output.open === undefined && problems.length === 0 && [...inputs.values()].every(isKnown)
}

function isKnown({ shape, asked }: Input): boolean {
  const { complete, also, columns } = shape
  return complete && asked.size === 0 && also.length === 0 && columns.every(({ type }) => type !== undefined)
}
