/** The hover text at a place in Markdown. If something is not known it says why. */
import { isWithin } from '../../text/range.ts'
import type { Knowledge } from '../knowledge.ts'
import { ownTestHover } from '../own-test-places.ts'
import { pythonHover } from '../python-names.ts'
import type { Hover } from './hover.ts'
import { macroHover } from './macro-hover.ts'
import { sqlHover } from './sql-hover.ts'
import { yamlHover } from './yaml-hover.ts'

/** Returns undefined if there is nothing to show. */
export function hoverAt(knowledge: Knowledge, path: string, offset: number): Hover | undefined {
  const hover =
    macroHover(knowledge, path, offset) ??
    ownTestHover(knowledge, path, offset) ??
    sqlHover(knowledge, path, offset) ??
    pythonHover(knowledge, path, offset) ??
    yamlHover(knowledge, path, offset)
  // The indentation of an SQL line has no hover.
  return hover && isWithin(hover.range, offset) ? hover : undefined
}
