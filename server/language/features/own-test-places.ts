/** Hover of the parameters of tests of one's own, in their files. */
import { isWithin } from '../text/range.ts'
import type { Hover } from './hover/hover.ts'
import type { Knowledge } from './knowledge.ts'
import { asCode } from './markdown.ts'

/** Says what a parameter is, in the file of its test. */
export function ownTestHover({ project }: Knowledge, path: string, offset: number): Hover | undefined {
  const file = project.settings.ownTests.files.get(path)
  const place =
    file?.places.find(({ range }) => isWithin(range, offset)) ??
    file?.parameters
      .map(parameter => ({ range: parameter.nameRange, parameter }))
      .find(({ range }) => isWithin(range, offset))
  if (place === undefined) return undefined
  const { name, type, fallback } = place.parameter
  const usual = fallback === undefined ? 'each use gives it' : `default ${asCode(JSON.stringify(fallback))}`
  return { range: place.range, markdown: `Parameter ${asCode(name)} · ${type.name} · ${usual}` }
}
