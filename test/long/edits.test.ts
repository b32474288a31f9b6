/**
 * Every edit of a source whose loads gather rows, in production, in a sandbox, on a branch, and in production after a branch
 * has tried it: gathered rows are kept, or counted and asked for.
 */
import { expect, test } from 'vitest'
import { projectMaker } from '../engine/run/test-project.ts'
import { allEdits } from '../support/edit-cases.ts'
import { editsOfKinds } from '../support/edit-cases-of-kinds.ts'
import { wrongEdits } from '../support/edits.ts'
import { figure } from '../support/figure.ts'
import { kindUnderTest } from '../support/warehouse-under-test.ts'

const project = projectMaker()

const ways = [
  { environment: 'prod' },
  { environment: 'dev' },
  { environment: 'dev', branch: 'feature' },
  { environment: 'prod', branch: 'feature', visitor: 'dev' },
]

test('edits of sources that gather rows', { timeout: 1_800_000 }, async () => {
  const edits = [...allEdits(), ...editsOfKinds()]
  const wrong: string[] = []
  for (const { environment, branch, visitor } of ways) {
    const p = project({})
    p.branch = branch
    const found = await wrongEdits(p, edits, environment, visitor)
    const where = `${visitor === undefined ? '' : 'after a branch, '}${environment}${visitor === undefined && branch !== undefined ? ' of a branch' : ''}`
    wrong.push(...found.map(text => `${where}: ${text}`))
  }
  const asked = edits.filter(({ wanted }) => wanted !== 'kept').length
  figure(
    'edits',
    `${edits.length} edits in ${ways.length} environments of ${kindUnderTest}: ${edits.length - asked} keep what was gathered, ${asked} count and ask, ${wrong.length} wrong or silent`,
  )
  expect(wrong).toEqual([])
})
