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
  if (min === undefined || max === undefined) return undefined
  if (isAbove(min, max)) return `no value can pass: min ${min} is above max ${max}`
  const isStrict = test.kind === 'range' && test.strict && min === max
  return isStrict ? `no value can pass: none lies strictly between ${min} and ${max}` : undefined
}

/** Only numbers and whole dates are sure: how other texts compare is the warehouse's business. */
function isAbove(min: JsonScalar, max: JsonScalar): boolean {
  if (typeof min === 'number' && typeof max === 'number') return min > max
  return isDate(min) && isDate(max) && min > max
}

function isDate(value: JsonScalar): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
}

function place(asset: Asset, test: TestDefinition) {
  const column = testColumns(test)[0]
  return column === undefined ? locate(asset, ['tests', test.index]) : testColumnRange(asset, test, column)
}
