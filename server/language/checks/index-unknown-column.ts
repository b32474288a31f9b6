import type { ProjectCheck } from './check.ts'
import { hasColumn, knownOwnColumns } from './columns.ts'
import { removeHere } from './fix.ts'
import { indexColumnRange } from './places.ts'
import { nameList, suggestName } from './suggestion.ts'

export const indexUnknownColumn: ProjectCheck = {
  code: 'index-unknown-column',
  severity: 'error',
  scope: 'project',
  doc: 'An index names a column that the asset does not deliver.',
  *run(asset, { analysis, project: { engine } }) {
    const { indexes } = asset.definition.deploy
    const columns = indexes.length === 0 ? undefined : knownOwnColumns(analysis)
    if (columns === undefined) return
    for (const [place, index] of indexes.entries()) {
      for (const column of index.columns) {
        if (hasColumn(columns, column, engine)) continue
        const range = indexColumnRange(asset, place, column)
        const has = nameList(`${asset.name} has`, columns)
        yield {
          range,
          message: `unknown column "${column}" in an index`,
          ...suggestName(column, columns, { path: asset.path, range }, has),
        }
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Take it out of the index'),
}
