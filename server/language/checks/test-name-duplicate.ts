import { locate } from '../project/locate.ts'
import type { FileCheck } from './check.ts'
import { replaceHere, testAt, written } from './fix.ts'
import { textAt } from './places.ts'

export const testNameDuplicate: FileCheck = {
  code: 'test-name-duplicate',
  severity: 'warning',
  doc: 'Two tests of an asset have the same `name`, so one of them is renamed and its history may be that of the other.',
  *run(asset) {
    const seen = new Map<string, number>()
    for (const { index, name: shown } of asset.definition.tests) {
      const name = textAt(asset, ['tests', index, 'name'])
      if (name === undefined) continue
      const first = seen.get(name) ?? index
      seen.set(name, first)
      // The tests of one list (`not_null: [a, b]`) share their place in the file.
      if (first === index) continue
      yield {
        range: locate(asset, ['tests', index, 'name']),
        message: `two tests are called "${name}"`,
        hint: `This one is shown as "${shown}": give it a name of its own.`,
        related: [
          {
            path: asset.path,
            range: locate(asset, ['tests', first, 'name']),
            message: `"${name}" is named here first`,
          },
        ],
      }
    }
  },
  /** Offers the name under which it is shown anyway. */
  fix(problem, asset) {
    const name = testAt(problem, asset)?.name
    const sameNames = asset.definition.tests.filter(each => each.name === name)
    if (name === undefined || name === written(problem) || sameNames.length > 1) return []
    return replaceHere(problem, `Call it "${name}"`, name)
  },
}
