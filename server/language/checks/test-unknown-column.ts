import { testColumns, testWord } from '../tests/index.ts'
import type { ProjectCheck } from './check.ts'
import { hasColumn, knownOwnColumns } from './columns.ts'
import { removeHere } from './fix.ts'
import { testColumnRange } from './places.ts'
import { unknownColumn } from './suggestion.ts'

export const testUnknownColumn: ProjectCheck = {
  code: 'test-unknown-column',
  doc: 'A test names a column that the asset does not deliver.',
  *run(asset, { analysis, project: { engine } }) {
    const columns = knownOwnColumns(analysis)
    if (columns === undefined) return
    for (const test of asset.definition.tests) {
      for (const column of testColumns(test)) {
        if (hasColumn(columns, column, engine)) continue
        const place = { path: asset.path, range: testColumnRange(asset, test, column) }
        yield unknownColumn(column, place, { owner: asset.name, columns }, `in the test ${testWord(test)}`)
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Take it out of the test'),
}
