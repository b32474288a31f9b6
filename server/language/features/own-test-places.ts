/** Places of tests of one's own: where they are used, and their parameters in their files. */
import type { OwnTest } from '../own-tests/own-test.ts'
import { locate } from '../project/locate.ts'
import { isOwnTest } from '../tests/index.ts'
import { isWithin } from '../text/range.ts'
import type { Definition } from './definition.ts'
import type { Hover } from './hover/hover.ts'
import type { Knowledge } from './knowledge.ts'
import { asCode } from './markdown.ts'

/** Returns the file of the test whose name is under the cursor, or the declaration of a parameter. */
export function ownTestDefinition(
  { project }: Knowledge,
  path: string,
  offset: number,
): Definition | undefined {
  const { files, byName } = project.settings.ownTests
  const place = parameterPlace(files.get(path), offset)
  if (place !== undefined) {
    const { nameRange } = place.parameter
    return { origin: place.range, targets: [{ path, range: nameRange, fullRange: nameRange }] }
  }
  const asset = project.assets.get(path)
  for (const test of asset?.definition.tests ?? []) {
    const own = isOwnTest(test) ? byName.get(test.test) : undefined
    if (own === undefined || asset === undefined) continue
    const origin = locate(asset, ['tests', test.index, own.name], 'key')
    if (!isWithin(origin, offset)) continue
    const whole = { start: 0, end: own.text.length }
    return { origin, targets: [{ path: own.path, range: { start: 0, end: 0 }, fullRange: whole }] }
  }
  return undefined
}

function parameterPlace(file: OwnTest | undefined, offset: number) {
  return file?.places.find(({ range }) => isWithin(range, offset))
}

/** Says what a parameter is, in the file of its test. */
export function ownTestHover({ project }: Knowledge, path: string, offset: number): Hover | undefined {
  const place = parameterPlace(project.settings.ownTests.files.get(path), offset)
  if (place === undefined) return undefined
  const { name, type, fallback } = place.parameter
  const usual = fallback === undefined ? 'each use gives it' : `default ${asCode(JSON.stringify(fallback))}`
  return { range: place.range, markdown: `Parameter ${asCode(name)} · ${type.name} · ${usual}` }
}
