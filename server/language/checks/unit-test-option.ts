import { locate, nodeAt } from '../project/locate.ts'
import type { FileCheck } from './check.ts'

const options = ['where', 'warn_if', 'error_if']

export const unitTestOption: FileCheck = {
  code: 'unit-test-option',
  doc: 'A unit test has an option that only tests of data have.',
  *run(asset) {
    for (const { kind, index } of asset.definition.tests) {
      if (kind !== 'unit') continue
      for (const option of options) {
        if (nodeAt(asset.tree, ['tests', index, option]) === undefined) continue
        yield {
          range: locate(asset, ['tests', index, option], 'key'),
          message: `a unit test has no "${option}"`,
          hint: 'Remove it: expect, contains and tolerance decide what is compared.',
        }
      }
    }
  },
}
