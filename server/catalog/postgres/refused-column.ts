/** Columns of a query that binds, and that PostgreSQL makes no table from. */

import { postgresStorage } from '../../language/engines/postgres/storage.ts'
import type { Column } from '../../language/index.ts'
import { wordSet } from '../../language/sql/grammar.ts'
import { type BindError, bindError } from '../bind-error.ts'
import type { Described } from './describe-queries.ts'

const { mostColumns = Number.POSITIVE_INFINITY } = postgresStorage

/** Types of the server that only values in a query have. */
const pseudoTypes: ReadonlySet<string> = wordSet('record record[] void cstring internal trigger')

/** Returns the error that the server would report, in its words. */
export function refusedColumn(
  described: readonly Described[],
  columns: readonly Column[],
): BindError | undefined {
  if (described.length > mostColumns)
    return bindError(
      'binder',
      `tables can have at most ${mostColumns} columns, and these are ${described.length}`,
    )
  for (const [index, { name }] of described.entries()) {
    const type = columns[index]?.type
    if (type !== undefined && pseudoTypes.has(type))
      return { ...bindError('binder', `column "${name}" has pseudo-type ${type}`), name }
  }
  return undefined
}
