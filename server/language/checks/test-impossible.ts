import { locate } from '../project/locate.ts'
import { testKindOf } from '../tests/index.ts'
import type { FileCheck } from './check.ts'
import { removeHere, swap, testAt } from './fix.ts'
import { testRange } from './places.ts'

export const testImpossible: FileCheck = {
  code: 'test-impossible',
  doc: 'The bounds of a test leave no value that could pass.',
  *run(asset) {
    for (const test of asset.definition.tests) {
      const message = testKindOf(test).impossible?.(test)
      if (message !== undefined)
        yield { range: testRange(asset, test), message, hint: 'Swap or widen the bounds.' }
    }
  },
  fix(problem, asset) {
    const test = testAt(problem, asset)
    const bounds = test && testKindOf(test).boundsAt?.(test)
    if (test === undefined || bounds === undefined) return removeHere(problem, asset, 'Remove this test')
    const at = ['tests', test.index, test.kind, ...bounds]
    return swap(problem, asset, locate(asset, [...at, 'min']), locate(asset, [...at, 'max']))
  },
}
