import { testColumns, testWord } from '../tests/index.ts'
import type { ProjectCheck } from './check.ts'
import { hasColumn, knownOwnColumns } from './columns.ts'
import { removeHere } from './fix.ts'
import { testColumnRange } from './places.ts'
import { nameList, suggestName } from './suggestion.ts'

export const testUnknownColumn: ProjectCheck = {
  code: 'test-unknown-column',
  severity: 'error',
  scope: 'project',
  doc: 'A test names a column that the asset does not deliver.',
  *run(asset, { analysis, project: { engine } }) {
    const columns = knownOwnColumns(analysis)
    if (columns === undefined) return
    for (const test of asset.definition.tests) {
      for (const column of testColumns(test)) {
        if (hasColumn(columns, column, engine)) continue
        const range = testColumnRange(asset, test, column)
        yield {
          range,
          message: `unknown column "${column}" in the test ${testWord(test)}`,
          ...suggestName(
            column,
            columns,
            { path: asset.path, range },
            nameList(`${asset.name} has`, columns),
          ),
        }
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Take it out of the test'),
}
