/**
 * What an asset was read with besides its text: the values that it inherits, and the tests of one's own that it uses. Two
 * assets with the same text that were read with the same are the same.
 */
import type { AssetSettings } from './folder-defaults.ts'
import { inheritedBy } from './folder-defaults.ts'
import type { Asset } from './project.ts'

/** Returns a text that identifies it; '' for an asset that was read with nothing else. `used` are names of tests. */
export function readWith(path: string, used: readonly string[], settings: AssetSettings): string {
  const inherits = inheritedBy(settings.defaults, path)?.key ?? ''
  if (inherits === '' && used.length === 0) return ''
  return JSON.stringify([inherits, used.map(name => [name, hashOfTest(name, settings)])])
}

/** Returns whether what an asset was read with is still what it would be read with. */
export function isReadAs(path: string, before: string, settings: AssetSettings): boolean {
  const [, tests = []] =
    before === '' ? [] : (JSON.parse(before) as readonly [string, readonly [string, string][]])
  const names = tests.map(([name]) => name)
  return readWith(path, names, settings) === before
}

export function usesOwnTests(asset: Pick<Asset, 'readWith'>): boolean {
  const known = readWithOf(asset)
  return known !== '' && !known.endsWith(',[]]')
}

export function readWithOf({ readWith: known = '' }: Pick<Asset, 'readWith'>): string {
  return known
}

/** For a name that there is not, all names count, because the nearest ones are proposed. */
function hashOfTest(name: string, { ownTests }: AssetSettings): string {
  return ownTests.byName.get(name)?.hash ?? [...ownTests.byName.keys()].join()
}
