/** Describes a test in words. */
import type { TestDefinition } from '../../schema/definition.ts'
import { testKindOf, testWord } from '../../tests/index.ts'
import { asCode } from '../markdown.ts'

/** Returns `unique`, `one of new, paid` or `0 to 23` as Markdown. */
export function testInWords(test: TestDefinition): string {
  const kind = asCode(testWord(test))
  const words = testKindOf(test).inWords?.(test, asCode) ?? ''
  return words === '' ? kind : `${kind} ${words}`
}
