/** Columns of a query that binds, and that PostgreSQL makes no table from. */
import type { Column } from '../../language/index.ts'
import { wordSet } from '../../language/sql/grammar.ts'
import { type BindError, bindError } from '../bind-error.ts'
import type { Described } from './describe-queries.ts'

/** Types of the server that only values in a query have. */
const pseudoTypes: ReadonlySet<string> = wordSet('record record[] void cstring internal trigger')

/** Returns the error that the server would report, in its words. */
export function refusedColumn(
  described: readonly Described[],
  columns: readonly Column[],
): BindError | undefined {
  for (const [index, { name }] of described.entries()) {
    const type = columns[index]?.type
    if (type !== undefined && pseudoTypes.has(type))
      return { ...bindError('binder', `column "${name}" has pseudo-type ${type}`), name }
  }
  return undefined
}
