/** Finds where tests of one's own are used, and what their files name. */
import type { OwnTest, Place } from '../../own-tests/own-test.ts'
import { locate, nodeAt } from '../../project/locate.ts'
import type { Asset } from '../../project/project.ts'
import { isOwnTest } from '../../tests/index.ts'
import type { Range } from '../../text/range.ts'
import { defines, type Occurrence, reads, type Subject } from './subjects.ts'

/** Returns the uses in the file of an asset, with the parameters that they name. */
export function ownTestUses(asset: Asset): readonly Occurrence[] {
  return asset.definition.tests.flatMap((test): readonly Occurrence[] => {
    if (!isOwnTest(test)) return []
    const path = ['tests', test.index, test.test]
    const key = locate(asset, path, 'key')
    // A use without parameters is the plain name, and one in quotes has them around it.
    const at = asset.text.indexOf(test.test, key.start)
    if (at < 0 || at + test.test.length > key.end) return []
    const used = reads({ start: at, end: at + test.test.length }, { kind: 'own-test', name: test.test })
    const values = nodeAt(asset.tree, path)
    const given = values?.kind === 'map' ? values.entries : []
    return [
      used,
      ...given.map(({ key: { bodyRange, value } }) =>
        reads(bodyRange, { kind: 'own-test-parameter', test: test.test, parameter: String(value) }),
      ),
    ]
  })
}

/** Returns what the file of a test names: the test, its parameters, and what it reads besides the asset. */
export function ownTestOccurrences(test: OwnTest | undefined): readonly Occurrence[] {
  if (test === undefined) return []
  const parameter = (name: string): Subject => ({
    kind: 'own-test-parameter',
    test: test.name,
    parameter: name,
  })
  return [
    defines({ start: 0, end: 0 }, { kind: 'own-test', name: test.name }),
    ...test.parameters.map(({ name, nameRange }) => defines(nameRange, parameter(name))),
    ...test.places.map(place => reads(nameIn(test, place), parameter(place.parameter.name))),
    ...test.names.map(({ kind, name, range }) =>
      reads(range, { kind: kind === 'ref' ? 'asset' : kind, name }),
    ),
  ]
}

/** Returns the name within `{{ name }}`. */
function nameIn({ text }: OwnTest, { range, parameter: { name } }: Place): Range {
  const start = text.indexOf(name, range.start)
  return { start, end: start + name.length }
}
