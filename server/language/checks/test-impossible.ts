import { locate } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { TestDefinition } from '../schema/definition.ts'
import { testColumns, testKindOf } from '../tests/index.ts'
import type { FileCheck } from './check.ts'
import { testColumnRange } from './places.ts'

export const testImpossible: FileCheck = {
  code: 'test-impossible',
  severity: 'error',
  scope: 'file',
  doc: 'The bounds of a test leave no value that could pass.',
  *run(asset) {
    for (const test of asset.definition.tests) {
      const message = testKindOf(test).impossible?.(test)
      if (message !== undefined)
        yield { range: place(asset, test), message, hint: 'Swap or widen the bounds.' }
    }
  },
}

function place(asset: Asset, test: TestDefinition) {
  const column = testColumns(test)[0]
  return column === undefined ? locate(asset, ['tests', test.index]) : testColumnRange(asset, test, column)
}
