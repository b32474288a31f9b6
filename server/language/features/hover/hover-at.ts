/** What is under the cursor, in a few lines of Markdown. Where something is not known, why. */
import type { Knowledge } from '../knowledge.ts'
import { pythonHover } from '../python-names.ts'
import type { Hover } from './hover.ts'
import { sqlHover } from './sql-hover.ts'
import { yamlHover } from './yaml-hover.ts'

/** Undefined: there is nothing to say. */
export function hoverAt(knowledge: Knowledge, path: string, offset: number): Hover | undefined {
  const found =
    sqlHover(knowledge, path, offset) ??
    pythonHover(knowledge, path, offset) ??
    yamlHover(knowledge, path, offset)
  // In the indentation of a line of SQL nothing is pointed at.
  return found && found.range.start <= offset && offset <= found.range.end ? found : undefined
}
