/** Tables of a source that have more columns than a table of the warehouse can have. */
import type { Engine } from '../engines/engine.ts'
import type { RawTableProblem } from './raw-tables.ts'
import type { RawTable } from './source-shape.ts'

export function tooWide(tables: readonly RawTable[], { storage, label }: Engine): readonly RawTableProblem[] {
  const { mostColumns = Number.POSITIVE_INFINITY } = storage
  return tables.flatMap(({ child, columns }) => {
    if (columns.length <= mostColumns) return []
    const what = child === undefined ? 'the source' : `"${child}" of the source`
    const message = `${what} has ${columns.length} columns, and a table of ${label} has at most ${mostColumns}`
    const hint = 'Name the columns that are needed in ingest.include, or leave some out with ingest.exclude.'
    return [{ code: 'wrong-value', message, hint, at: ['ingest'] }]
  })
}
