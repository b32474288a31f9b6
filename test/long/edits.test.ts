/** Every edit of a source whose loads gather rows, in production and in a sandbox: gathered rows are kept, or counted and asked for. */
import { expect, test } from 'vitest'
import { projectMaker } from '../engine/run/test-project.ts'
import { allEdits } from '../support/edit-cases.ts'
import { wrongEdits } from '../support/edits.ts'
import { figure } from '../support/figure.ts'
import { kindUnderTest } from '../support/warehouse-under-test.ts'

const project = projectMaker()

test('edits of sources that gather rows', { timeout: 1_800_000 }, async () => {
  const edits = allEdits()
  const wrong: string[] = []
  for (const environment of ['prod', 'dev']) {
    const found = await wrongEdits(project({}), edits, environment)
    wrong.push(...found.map(text => `${environment}: ${text}`))
  }
  const asked = edits.filter(({ wanted }) => wanted !== 'kept').length
  figure(
    'edits',
    `${edits.length} edits in 2 environments of ${kindUnderTest}: ${edits.length - asked} keep what was gathered, ${asked} count and ask, ${wrong.length} wrong or silent`,
  )
  expect(wrong).toEqual([])
})
