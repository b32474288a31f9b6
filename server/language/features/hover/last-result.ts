/** The last result of a test in one line of Markdown. */
import type { Asset } from '../../project/project.ts'
import type { TestDefinition } from '../../schema/definition.ts'
import type { Knowledge } from '../knowledge.ts'
import { asCode, asMarkdown } from '../markdown.ts'
import { timeText } from './time-text.ts'

/**
 * Returns the last result. Unit tests run while the user types, so theirs belongs to the present text. Empty
 * if none is known.
 */
export function lastResult(
  { analysis, lastTests }: Knowledge,
  asset: Asset,
  test: TestDefinition,
): readonly string[] {
  if (test.kind === 'unit') {
    const present = analysis.of(asset.name)?.unitTests?.find(({ index }) => index === test.index)
    if (present === undefined || present.waits === true) return []
    const why = present.message === undefined ? '' : `: ${asMarkdown(present.message)}`
    return [`${asCode(test.name)} ${present.status === 'pass' ? 'passes' : 'fails'} here${why}`]
  }
  const last = lastTests?.get(asset.name)
  const result = last?.results.get(test.name)
  if (last === undefined || result === undefined) return []
  const when = last.at === undefined ? '' : `, ${asMarkdown(timeText(last.at))}`
  return [`Last result of ${asCode(test.name)}: ${result === 'pass' ? 'passed' : '**failed**'}${when}`]
}
