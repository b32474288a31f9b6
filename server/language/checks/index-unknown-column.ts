import type { ProjectCheck } from './check.ts'
import { hasColumn, knownOwnColumns } from './columns.ts'
import { removeHere } from './fix.ts'
import { indexColumnRange } from './places.ts'
import { unknownColumn } from './suggestion.ts'

export const indexUnknownColumn: ProjectCheck = {
  code: 'index-unknown-column',
  doc: 'An index names a column that the asset does not deliver.',
  *run(asset, { analysis, project: { engine } }) {
    const { indexes } = asset.definition.deploy
    const columns = indexes.length === 0 ? undefined : knownOwnColumns(analysis)
    if (columns === undefined) return
    for (const [position, index] of indexes.entries()) {
      for (const column of index.columns) {
        if (hasColumn(columns, column, engine)) continue
        const place = { path: asset.path, range: indexColumnRange(asset, position, column) }
        yield unknownColumn(column, place, { owner: asset.name, columns }, 'in an index')
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Take it out of the index'),
}
