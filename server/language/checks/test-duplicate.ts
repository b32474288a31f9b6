import type { Asset } from '../project/project.ts'
import type { TestDefinition } from '../schema/definition.ts'
import { testColumns, testWord } from '../tests/index.ts'
import type { FileCheck } from './check.ts'
import { removeHere } from './fix.ts'
import { testRange } from './places.ts'

export const testDuplicate: FileCheck = {
  code: 'test-duplicate',
  severity: 'warning',
  doc: 'Two tests of an asset ask the same question.',
  *run(asset) {
    const seen = new Map<string, SameSubject>()
    for (const test of asset.definition.tests) {
      const subject = `${testWord(test)} ${testColumns(test).join()}`
      const same = seen.get(subject)
      if (same === undefined) {
        seen.set(subject, { first: test, questions: new Map() })
        continue
      }
      const { questions } = same
      // Most subjects have one test, so its question is computed only for the second.
      if (questions.size === 0) questions.set(questionOf(asset, same.first), same.first)
      const question = questionOf(asset, test)
      const first = questions.get(question)
      if (first === undefined) {
        questions.set(question, test)
        continue
      }
      yield {
        range: testRange(asset, test),
        message: `this test asks the same as the test "${first.name}"`,
        hint: 'Take one of them out.',
        related: [{ path: asset.path, range: testRange(asset, first), message: 'asked here first' }],
      }
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Remove this test'),
}

interface SameSubject {
  readonly first: TestDefinition
  /** Maps each question to its first test. */
  readonly questions: Map<string, TestDefinition>
}

/** Returns the question of a test: everything except its name and how its result is treated. */
function questionOf(asset: Asset, test: TestDefinition): string {
  const {
    name: _name,
    description: _description,
    index,
    severity: _severity,
    tags: _tags,
    ...question
  } = test
  return JSON.stringify([question, asset.testSql.get(index)?.text ?? null])
}
