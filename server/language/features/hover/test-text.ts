/** A test in words, for people. */
import type { TestDefinition } from '../../schema/definition.ts'
import { testKindOf } from '../../tests/index.ts'
import { asCode } from '../markdown.ts'

/** `unique`, `one of new, paid`, `0 to 23`; Markdown. */
export function testInWords(test: TestDefinition): string {
  const kind = asCode(test.kind)
  const words = testKindOf(test).inWords?.(test, asCode) ?? ''
  return words === '' ? kind : `${kind} ${words}`
}
