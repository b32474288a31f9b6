import { locate } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { JsonScalar, TestDefinition } from '../schema/definition.ts'
import type { FileCheck } from './check.ts'
import { testColumns } from './columns.ts'
import { testColumnRange } from './places.ts'

export const testImpossible: FileCheck = {
  code: 'test-impossible',
  severity: 'error',
  scope: 'file',
  doc: 'The bounds of a test leave no value that could pass.',
  *run(asset) {
    for (const test of asset.definition.tests) {
      const message = problemWith(test)
      if (message !== undefined)
        yield { range: place(asset, test), message, hint: 'Swap or widen the bounds.' }
    }
  },
}

function problemWith(test: TestDefinition): string | undefined {
  if (test.kind === 'accepted_values' && test.values.length === 0)
    return 'no value can pass: the list is empty'
  if (test.kind !== 'range' && test.kind !== 'row_count') return undefined
  const { min, max } = test
  if (min === undefined || max === undefined || !isAbove(min, max)) return undefined
  return `no value can pass: min ${min} is above max ${max}`
}

/** Only numbers are sure: how texts and dates compare is the warehouse's business. */
function isAbove(min: JsonScalar, max: JsonScalar): boolean {
  return typeof min === 'number' && typeof max === 'number' && min > max
}

function place(asset: Asset, test: TestDefinition) {
  const column = testColumns(test)[0]
  return column === undefined ? locate(asset, ['tests', test.index]) : testColumnRange(asset, test, column)
}
