/** Edits of incremental sources and of such as keep versions, a few of each kind; `test/long/edits.test.ts` has them all. */
import { expect, test } from 'vitest'
import { sampleOfEdits } from '../../support/edit-cases.ts'
import { wrongEdits } from '../../support/edits.ts'
import { projectMaker } from './test-project.ts'

const project = projectMaker()

test('what was gathered is kept, or counted and asked for', async () => {
  expect(await wrongEdits(project({}), sampleOfEdits())).toEqual([])
})
