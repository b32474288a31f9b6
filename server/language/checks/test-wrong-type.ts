import type { TestDefinition } from '../schema/definition.ts'
import type { ProjectCheck } from './check.ts'
import { columnType, isPointInTime, isText, testColumns } from './columns.ts'
import { testColumnRange } from './places.ts'

export const testWrongType: ProjectCheck = {
  code: 'test-wrong-type',
  severity: 'error',
  scope: 'project',
  doc: 'A test needs a column of another type: `fresh` a date or timestamp, `matches` a text, `range` with numbers no text.',
  *run(asset, { analysis }) {
    for (const test of asset.definition.tests) {
      const column = testColumns(test)[0]
      const type = column === undefined ? undefined : columnType(analysis, column)
      const wanted = wantedType(test, type)
      if (column === undefined || wanted === undefined) continue
      yield {
        range: testColumnRange(asset, test, column),
        message: `${test.kind} needs ${wanted}, "${column}" is ${type}`,
        hint: 'Name another column, or cast this one in transform.',
      }
    }
  },
}

function wantedType(test: TestDefinition, type: string | undefined): string | undefined {
  if (type === undefined) return undefined
  if (test.kind === 'fresh' && !isPointInTime(type)) return 'a date or a timestamp'
  if (test.kind === 'range' && isText(type) && [test.min, test.max].some(bound => typeof bound === 'number'))
    return 'a number for such bounds'
  return test.kind === 'matches' && !isText(type) ? 'a text' : undefined
}
